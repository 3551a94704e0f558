import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLogSink, logLevelOf } from '../../shared/src/logSink.ts';

/** A stream that takes nothing more than its high-water mark until it is told to. */
function slowStream(highWaterMark: number): { stream: Writable; lines: () => Record<string, unknown>[]; take: () => void } {
  let text = '';
  let waiting: (() => void) | null = null;
  const stream = new Writable({
    highWaterMark,
    write(chunk, _encoding, done) {
      text += String(chunk);
      waiting = done;
    },
  });
  const lines = () => text.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
  const take = () => {
    while (waiting !== null) {
      const done: () => void = waiting;
      waiting = null;
      done();
    }
  };
  return { stream, lines, take };
}

const now = () => new Date(0);

describe('createLogSink', () => {
  it('writes one JSON line an entry, fields beside the message', () => {
    const { stream, lines } = slowStream(1 << 20);
    createLogSink(stream, 'info', now)({ level: 'warn', scope: 'host', message: 'refused', fields: { id: 3 } });
    expect(lines()).toEqual([{ time: '1970-01-01T00:00:00.000Z', level: 'warn', scope: 'host', message: 'refused', id: 3 }]);
  });

  it('removes queries from every text', () => {
    const { stream, lines } = slowStream(1 << 20);
    createLogSink(stream, 'info', now)({ level: 'info', scope: 's', message: 'got https://a.example/?q=1', fields: { url: 'https://u:p@a.example/?q=2' } });
    expect(lines()).toMatchObject([{ message: 'got https://a.example/?…', url: 'https://a.example/?…' }]);
  });

  it('leaves out what is below its level', () => {
    const { stream, take, lines } = slowStream(1 << 20);
    const log = createLogSink(stream, 'warn', now);
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log({ level, scope: 's', message: level });
    take();
    take();
    expect(lines().map(({ level }) => level)).toEqual(['warn', 'error']);
  });

  it('drops entries while nobody reads, and says later how many', async () => {
    const { stream, take, lines } = slowStream(1);
    const log = createLogSink(stream, 'info', now);
    for (let n = 0; n < 5; n += 1) log({ level: 'info', scope: 's', message: String(n) });
    take();
    await setImmediate();
    log({ level: 'info', scope: 's', message: 'again' });
    expect(lines()).toMatchObject([{ message: '0' }, { message: 'again', droppedEntries: 4 }]);
  });
});

it.each([
  [{}, 'info'],
  [{ FIRSTSCREEN_LOG: 'debug' }, 'debug'],
  [{ FIRSTSCREEN_LOG: 'loud' }, 'info'],
])('takes the level from the environment %j', (env, level) => {
  expect(logLevelOf(env)).toBe(level);
});
