import * as v from 'valibot';
import { readOrNothing } from '../../../shared/src/node/readOrNothing.ts';
import { TCP_NOTSENT_LOWAT_BYTES } from '../../../shared/src/relay/listening.ts';

const NoteSchema = v.object({
  pid: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** Of the relay that runs. */
  release: v.string(),
  port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  /** Where it is a proxy of browsers; null where it is none, or can not be. */
  proxyPort: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535))), null),
  /** What a connection holds unsent; null: as much as its buffer has. */
  lowatBytes: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** Congestion control of its connections. */
  congestion: v.string(),
});

/** What a running relay says of itself, for `doctor`: no other program can look at the options of its sockets. */
export type ServingNote = v.InferOutput<typeof NoteSchema>;

/** @returns null for what is none */
export function parseServingNote(text: string): ServingNote | null {
  try {
    const { success, output } = v.safeParse(NoteSchema, JSON.parse(text));
    return success ? output : null;
  } catch {
    return null;
  }
}

/**
 * How connections of this process are, by the launcher of its socket (helper/src/cli/relaySetup/relayLauncher.ts) or by its network namespace.
 *
 * @param isGiven the process has its socket from there
 * @param sysctl a setting of the kernel; empty where it has none
 */
export function connectionOptions({ FIRSTSCREEN_NOTSENT_LOWAT = '', FIRSTSCREEN_CONGESTION = '' }: NodeJS.ProcessEnv, isGiven: boolean, sysctl: (name: string) => string): Pick<ServingNote, 'lowatBytes' | 'congestion'> {
  const either = (ofLauncher: string, name: string): string => (isGiven && ofLauncher !== '' ? ofLauncher : sysctl(name));
  const bytes = Number(either(FIRSTSCREEN_NOTSENT_LOWAT, 'net.ipv4.tcp_notsent_lowat'));
  const isLimit = Number.isInteger(bytes) && bytes > 0 && bytes <= MAX_MEANT_BYTES;
  return { lowatBytes: isLimit ? bytes : null, congestion: either(FIRSTSCREEN_CONGESTION, 'net.ipv4.tcp_congestion_control') };
}

/** Above it the kernel's own value means "no limit". */
const MAX_MEANT_BYTES = 64 * TCP_NOTSENT_LOWAT_BYTES;

/** A kernel's setting; empty where it has none. */
export function readSysctl(name: string): string {
  return readOrNothing(`/proc/sys/${name.replaceAll('.', '/')}`).trim();
}
