import { FirstscreenError } from '../../../shared/src/errors.ts';
import { askDriver, attachedTo, stateOf } from '../driver/driverReport.ts';
import type { DriverStatus } from '../driver/driverMessages.ts';
import { pass, warn, type Check } from './check.ts';

const NAME = 'driver';
const LOOK = 'Run "firstscreen-driverd status".';

/** The driver is optional: none at all is no fault. */
export async function checkDriver(path: string): Promise<Check> {
  try {
    return judge(await askDriver(path));
  } catch (error) {
    if (!(error instanceof FirstscreenError)) throw error;
    const state = stateOf(error);
    if (state === 'none') return pass(NAME, 'none runs (optional, for lossy links)');
    if (state === 'closed') return warn(NAME, `its socket ${path} is not open to this user`, 'Run: sudo adduser "$USER" firstscreen, then log in again.');
    return warn(NAME, error.message, error.next);
  }
}

function judge(status: DriverStatus): Check {
  const attached = attachedTo(status);
  if (attached.length === 0) return warn(NAME, ['it runs, but is attached to no interface', ...notAttached(status)].join('; '), LOOK);
  const missing = status.features.filter(({ level }) => level === 'none').map(({ name, reason }) => `${name} (${reason})`);
  const lacks = missing.length === 0 ? [] : [`not supported: ${missing.join(', ')}`];
  const detail = [`attached to ${attached.join(', ')}`, ...notAttached(status), ...lacks].join('; ');
  return missing.length === 0 ? pass(NAME, detail) : warn(NAME, detail, LOOK);
}

function notAttached({ interfaces }: DriverStatus): string[] {
  return interfaces.filter(({ method }) => method === '').map(({ name, cause }) => `not to ${name} (${cause})`);
}
