import * as v from 'valibot';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { DriverConnection } from '../driver/driverConnection.ts';
import { DriverStatusSchema, type DriverStatus } from '../driver/driverMessages.ts';
import { pass, warn, type Check } from './check.ts';

const NAME = 'driver';
const LOOK = 'Run "firstscreen-driverd status".';

/** The driver is optional: none at all is no fault. */
export async function checkDriver(path: string): Promise<Check> {
  try {
    return judge(await askStatus(path));
  } catch (error) {
    if (!(error instanceof FirstscreenError)) throw error;
    const cause = error.cause instanceof Error && 'code' in error.cause ? error.cause.code : null;
    if (cause === 'ENOENT' || cause === 'ECONNREFUSED') return pass(NAME, 'none runs (optional, for lossy links)');
    if (cause === 'EACCES') return warn(NAME, `its socket ${path} is not open to this user`, 'Run: sudo adduser "$USER" firstscreen, then log in again.');
    return warn(NAME, error.message, error.next);
  }
}

async function askStatus(path: string): Promise<DriverStatus> {
  const connection = await DriverConnection.open(path);
  try {
    const status = v.safeParse(DriverStatusSchema, await connection.ask('status', {}));
    if (status.success) return status.output;
  } finally {
    connection.close();
  }
  throw new FirstscreenError('E_DRIVER_REFUSED', 'The driver does not tell its status as this helper expects it.', 'Install the helper and the driver of one release.');
}

function judge({ features, interfaces }: DriverStatus): Check {
  const attached = (interfaces ?? []).filter(({ method }) => method !== '').map(({ name }) => name);
  if (attached.length === 0) return warn(NAME, 'it runs, but is attached to no interface', LOOK);
  const missing = features.filter(({ level }) => level === 'none').map(({ name, reason }) => `${name} (${reason})`);
  const where = `attached to ${attached.join(', ')}`;
  return missing.length === 0 ? pass(NAME, where) : warn(NAME, `${where}; not supported: ${missing.join('; ')}`, LOOK);
}
