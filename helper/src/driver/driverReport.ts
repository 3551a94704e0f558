import * as v from 'valibot';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { MAX_LIMITS, MAX_REPORTED_CHARS, SILENT_DRIVER, type DriverReport } from '../../../shared/src/protocol/driverReportSchema.ts';
import { DriverConnection } from './driverConnection.ts';
import { DriverStatusSchema, driverOfAnotherRelease, type DriverStatus } from './driverMessages.ts';

/** Asks in a conversation of its own, so that registrations do not hang on the answer. @throws FirstscreenError E_DRIVER_UNAVAILABLE, E_DRIVER_REFUSED, E_DRIVER_VERSION */
export async function askDriver(path: string): Promise<DriverStatus> {
  const connection = await DriverConnection.open(path);
  try {
    const status = v.safeParse(DriverStatusSchema, await connection.ask('status', {}));
    if (status.success) return status.output;
  } finally {
    connection.close();
  }
  throw driverOfAnotherRelease();
}

const NOTHING_FILLED = { holes: 0, holeBytes: 0 };
const LOOK = 'firstscreen-driverd status';

/** Of a driver that has answered. @param isRegistered whether it acts on this helper's connections */
export function reportOf({ features, interfaces, registered, counters }: DriverStatus, isRegistered: boolean): DriverReport {
  const attached = interfaces.filter(({ method }) => method !== '').map(({ name }) => withoutAddress(name));
  const limits = [
    ...features.filter(({ level }) => level === 'none').map(({ name, reason }) => `Not supported: ${name}${inBrackets(reason)}`),
    ...interfaces.filter(({ method }) => method === '').map(({ name, cause }) => `Not on ${withoutAddress(name)}${inBrackets(cause)}`),
  ].slice(0, MAX_LIMITS).map(cut);
  const isIdle = Object.keys(registered).length === 0 && interfaces.length === 0;
  if (isIdle && isRegistered) return { state: 'good', text: 'Driver runs; nothing uses it now', detail: counted(counters), nextStep: null, limits };
  if (attached.length === 0 && !isIdle) return { state: 'fault', text: 'Driver runs, but on no network interface', detail: 'To see why, run:', nextStep: LOOK, limits };
  if (!isRegistered) return { state: 'fault', text: 'Driver runs, but not for the helper', detail: 'The helper asks it each half minute. To see more, run:', nextStep: LOOK, limits };
  return { state: 'good', text: cut(`Driver protects small messages on ${attached.join(', ')}`), detail: counted(counters), nextStep: null, limits };
}

/** Of one that could not be asked, by the error of `askDriver`. */
export function reportOfFailure(error: unknown): DriverReport {
  const { code, cause } = error instanceof FirstscreenError ? error : { code: null, cause: null };
  if (code === 'E_DRIVER_VERSION') return { state: 'fault', text: 'Driver of an unknown version', detail: 'Install the helper and the driver of one release.', nextStep: null, limits: [] };
  const reason = cause instanceof Error && 'code' in cause ? cause.code : null;
  if (reason === 'ENOENT' || reason === 'ECONNREFUSED') return { state: 'absent', text: 'Driver not running', detail: 'Optional, for lossy links. Where it is installed, run:', nextStep: 'sudo systemctl start firstscreen-driver', limits: [] };
  if (reason === 'EACCES') return { state: 'fault', text: 'Driver not open to you', detail: 'Join its group, then log in again:', nextStep: 'sudo adduser "$USER" firstscreen', limits: [] };
  return SILENT_DRIVER;
}

/** Names that systemd gives to interfaces without a better one hold their hardware address. */
function withoutAddress(name: string): string {
  return name.replace(/^((?:en|wl|ww)x)[0-9a-f]{12}$/, '$1…');
}

function inBrackets(reason: string): string {
  return reason === '' ? '' : ` (${reason})`;
}

function cut(text: string): string {
  return text.length <= MAX_REPORTED_CHARS ? text : `${text.slice(0, MAX_REPORTED_CHARS - 1)}…`;
}

function counted({ rar, fwp = NOTHING_FILLED }: DriverStatus['counters']): string {
  const copied = rar.messages === 0 ? [] : [numbered(rar.messages, 'message', 'messages'), `${numbered(rar.copies, 'copy', 'copies')} (${kilobytes(rar.copyBytes)})`];
  const filled = fwp.holes === 0 ? [] : [`${numbered(fwp.holes, 'loss', 'losses')} left to repair (${kilobytes(fwp.holeBytes)})`];
  const all = [...copied, ...filled];
  return all.length === 0 ? "None yet: it acts on the helper's connections." : `${all.join(', ')} since it began`;
}

function numbered(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function kilobytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1000))} kB`;
}
