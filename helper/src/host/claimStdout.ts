import { Writable } from 'node:stream';
import type { LogSink } from '../../../shared/src/log.ts';

/**
 * Takes standard output for the protocol: the real stream is returned, and whatever else writes to `process.stdout` (a stray `console.log`, a library) becomes a
 * log entry. One foreign byte on that stream makes the browser close the port.
 */
export function claimStdout(log: LogSink): Writable {
  const protocol = process.stdout;
  const strays = new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, done) {
      log({ level: 'warn', scope: 'stdout', message: String(chunk).trimEnd() });
      done();
    },
  });
  Object.defineProperty(process, 'stdout', { value: strays, configurable: true });
  return protocol;
}
