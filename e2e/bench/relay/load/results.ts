import { tableText } from '../../driver/comparison.ts';

/** So many users at once. */
export interface Step {
  readonly users: number;
  readonly seconds: number;
  readonly pages: number;
  /** Not whole: the relay has refused a tunnel, or lost it. */
  readonly failedPages: number;
  readonly objects: number;
  /** Of the objects that were asked for both ways: by the relay less than directly after it. Milliseconds; with the connection where it is a server's first. */
  readonly addedMs: { readonly p50: number; readonly p95: number; readonly p99: number };
  readonly directMs: { readonly p50: number; readonly p95: number };
  /** Of one processor, of the relay that works most, and of the users together; their servers have another one. */
  readonly relayProcessor: number;
  /** Of HAProxy; null where there is none. */
  readonly haproxyProcessor: number | null;
  readonly usersProcessor: number;
  /** Of the relays, a user: of one that only is there, and the most while all read. */
  readonly idleBytesOfUser: number;
  readonly peakBytesOfUser: number;
  /** What was met first, where no more users would be served as well; null where there is room. */
  readonly limit: 'relay processor' | 'users processor' | 'added time' | 'failed pages' | null;
}

/** A processor is full before its last per cent. */
const FULL_SHARE = 0.9;
/** Of a page's 36 objects this many milliseconds each would be seen. */
const MOST_ADDED_MS = 50;

/** What a step has met first. Pure. */
export function limitOf({ failedPages, relayProcessor, usersProcessor, addedMs }: Omit<Step, 'limit'>): Step['limit'] {
  if (failedPages > 0) return 'failed pages';
  if (relayProcessor >= FULL_SHARE) return 'relay processor';
  if (usersProcessor >= FULL_SHARE) return 'users processor';
  return addedMs.p95 > MOST_ADDED_MS ? 'added time' : null;
}

/** A table of Markdown. Pure. */
export function tableOf(steps: readonly Step[]): string {
  const kilobytes = (bytes: number): string => String(Math.round(bytes / 1024));
  const share = (of: number): string => `${Math.round(of * 100)} %`;
  const rows = steps.map((step) => [
    String(step.users), (step.pages / step.seconds).toFixed(1), step.addedMs.p50.toFixed(1), step.addedMs.p95.toFixed(1), step.addedMs.p99.toFixed(1), step.directMs.p95.toFixed(1),
    share(step.relayProcessor), step.haproxyProcessor === null ? '' : share(step.haproxyProcessor), share(step.usersProcessor), kilobytes(step.idleBytesOfUser), kilobytes(step.peakBytesOfUser), step.limit ?? '',
  ]);
  const head = ['users', 'pages a second', 'added, median (ms)', 'p95', 'p99', 'direct p95 (ms)', 'relay\'s processor', 'HAProxy\'s', 'users\' processor', 'a user idle (kB)', 'at most (kB)', 'limit'];
  return tableText(head, rows);
}
