import type { DriverReport, RunningDriver } from '../../../shared/src/protocol/driverReportSchema.ts';
import type { PartLine } from './describe.ts';

/** What the popup says of the driver, which is optional: none at all is no fault. */
export interface DriverLine extends PartLine {
  readonly limits: Limits | null;
}

/** What this kernel does not allow. */
interface Limits {
  readonly headline: string;
  readonly reasons: readonly string[];
}

type Feature = RunningDriver['features'][number];

const LOOK = 'firstscreen-driverd status';
/** More do not fit into the line. */
const MAX_NAMES = 2;
const SIZES = [[1_000_000, 'MB'], [1_000, 'kB']] as const;

const LACKS: Readonly<Record<Exclude<DriverReport['state'], 'running'>, DriverLine>> = {
  none: { state: 'absent', text: 'Driver not running', detail: 'Optional, for lossy links. Where it is installed, run:', nextStep: 'sudo systemctl start firstscreen-driver', limits: null },
  closed: { state: 'fault', text: 'Driver not open to you', detail: 'Join its group, then log in again:', nextStep: 'sudo adduser "$USER" firstscreen', limits: null },
  unknownVersion: { state: 'fault', text: 'Driver of an unknown version', detail: 'Install the helper and the driver of one release.', nextStep: null, limits: null },
  silent: { state: 'fault', text: 'Driver does not answer', detail: 'To see why, run:', nextStep: 'firstscreen-helper doctor', limits: null },
};

/** @returns null where nothing is known of a driver, as without a helper */
export function describeDriver(report: DriverReport | null): DriverLine | null {
  if (report === null) return null;
  return report.state === 'running' ? describeRunning(report) : LACKS[report.state];
}

function describeRunning({ isRegistered, interfaces, features, counters }: RunningDriver): DriverLine {
  const limits = limitsOf(features);
  if (interfaces.length === 0) return { state: 'fault', text: 'Driver runs, but on no network interface', detail: 'To see why, run:', nextStep: LOOK, limits };
  if (!isRegistered) return { state: 'fault', text: 'Driver runs, but not for the helper', detail: 'The helper asks it each half minute. To see more, run:', nextStep: LOOK, limits };
  return { state: 'good', text: `Driver protects small messages on ${listed(interfaces)}`, detail: counted(counters), nextStep: null, limits };
}

function listed(names: readonly string[]): string {
  const shown = names.length > MAX_NAMES + 1 ? names.slice(0, MAX_NAMES) : names;
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}

function counted({ messages, copies, copyBytes }: RunningDriver['counters']): string {
  if (messages === 0) return 'None yet: it acts on the helper\'s connections.';
  return `${numbered(messages, 'message', 'messages')}, ${numbered(copies, 'copy', 'copies')} (${size(copyBytes)}) since it began`;
}

function numbered(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function size(bytes: number): string {
  const [unit, name] = SIZES.find(([unit]) => bytes >= unit) ?? [1, 'bytes'];
  const amount = bytes / unit;
  return `${amount < 10 && unit > 1 ? amount.toFixed(1) : Math.round(amount)} ${name}`;
}

/** Features that lack for one reason are named together. */
function limitsOf(features: readonly Feature[]): Limits | null {
  const limited = features.filter(({ level }) => level === 'none');
  if (limited.length === 0) return null;
  return {
    headline: `${limited.length} of ${numbered(features.length, 'feature', 'features')} limited`,
    reasons: [...new Set(limited.map(({ reason }) => reason))].map((reason) => {
      const names = limited.filter((feature) => feature.reason === reason).map(({ name }) => name).join('; ');
      return `Not supported: ${names}${reason === '' ? '' : ` (${reason})`}`;
    }),
  };
}
