import * as v from 'valibot';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { MAX_REPORTED, MAX_REPORTED_CHARS, type DriverReport } from '../../../shared/src/protocol/driverReportSchema.ts';
import { DriverConnection } from './driverConnection.ts';
import { DriverStatusSchema, driverOfAnotherRelease, type DriverStatus } from './driverMessages.ts';

/** Names that systemd gives to interfaces without a better one hold their hardware address. */
const NAME_WITH_ADDRESS = /^((?:en|wl|ww)x)[0-9a-f]{12}$/;

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

/** What an error of `askDriver` says of the driver. */
export function stateOf(error: unknown): Exclude<DriverReport['state'], 'running'> {
  if (!(error instanceof FirstscreenError)) return 'silent';
  if (error.code === 'E_DRIVER_VERSION') return 'unknownVersion';
  const cause = error.cause instanceof Error && 'code' in error.cause ? error.cause.code : null;
  if (cause === 'ENOENT' || cause === 'ECONNREFUSED') return 'none';
  return cause === 'EACCES' ? 'closed' : 'silent';
}

export function attachedTo({ interfaces }: DriverStatus): string[] {
  return interfaces.filter(({ method }) => method !== '').map(({ name }) => name);
}

/** What the extension is told. @param isRegistered whether the driver acts on this helper's connections */
export function reportOf(status: DriverStatus, isRegistered: boolean): DriverReport {
  const { features, counters } = status;
  return {
    state: 'running',
    isRegistered,
    interfaces: attachedTo(status).slice(0, MAX_REPORTED).map((name) => cut(name.replace(NAME_WITH_ADDRESS, '$1…'))),
    features: features.slice(0, MAX_REPORTED).map(({ name, level, reason }) => ({ name: cut(name), level, reason: cut(reason) })),
    counters: counters.rar,
  };
}

function cut(text: string): string {
  return text.length <= MAX_REPORTED_CHARS ? text : `${text.slice(0, MAX_REPORTED_CHARS - 1)}…`;
}
