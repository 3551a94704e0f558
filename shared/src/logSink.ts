import { LOG_LEVELS, redactUrls, type LogEntry, type LogLevel, type LogSink } from './log.ts';

/** Where lines go, as a stream of Node's. */
interface LineStream {
  readonly writableNeedDrain: boolean;
  write(text: string): unknown;
}

/**
 * Writes entries as JSON, one a line, every text without the queries of its URLs.
 *
 * A log must not stop a program or fill its memory: while nobody reads the stream, entries are dropped, and the next one that is written says how many.
 */
export function createLogSink(stream: LineStream, level: LogLevel, now: () => Date): LogSink {
  let droppedEntries = 0;
  return (entry) => {
    if (LOG_LEVELS.indexOf(entry.level) < LOG_LEVELS.indexOf(level)) return;
    if (stream.writableNeedDrain) {
      droppedEntries += 1;
      return;
    }
    stream.write(`${toLine(entry, now(), droppedEntries)}\n`);
    droppedEntries = 0;
  };
}

function toLine({ fields, ...entry }: LogEntry, time: Date, droppedEntries: number): string {
  const line = { time: time.toISOString(), ...entry, ...fields, ...(droppedEntries > 0 && { droppedEntries }) };
  return JSON.stringify(line, (_key, value: unknown) => (typeof value === 'string' ? redactUrls(value) : value));
}

/** The level that the environment asks for (`FIRSTSCREEN_LOG`); `info` when it asks for none that exists. */
export function logLevelOf(env: Readonly<Record<string, string | undefined>>): LogLevel {
  return LOG_LEVELS.find((level) => level === env['FIRSTSCREEN_LOG']) ?? 'info';
}
