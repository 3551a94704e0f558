import { expect, it } from 'vitest';
import { SilenceWatch } from './silenceWatch.ts';

/** Verdicts that are not `fine`, with their time, of a connection looked at every 2 s. */
function verdicts(bytesAt: (ms: number) => number, isBusy: (ms: number) => boolean): string[] {
  const watch = new SilenceWatch();
  const all: string[] = [];
  for (let ms = 0; ms <= 60_000; ms += 2_000) {
    const verdict = watch.observe(bytesAt(ms), isBusy(ms), ms);
    if (verdict !== 'fine') all.push(`${verdict} ${ms}`);
  }
  return all.slice(0, 3);
}

it.each([
  ['nothing is asked for', () => 0, () => false, []],
  ['bytes come', (ms: number) => ms, () => true, []],
  ['nothing comes: asked once, then given up', () => 0, () => true, ['ask 10000', 'dead 26000', 'dead 28000']],
  ['it answers that it is there', (ms: number) => (ms > 11_000 ? 17 : 0), (ms: number) => ms < 20_000, ['ask 10000']],
  ['a server that works for long is asked again', (ms: number) => Math.floor(ms / 12_000), () => true, ['ask 10000', 'ask 22000', 'ask 34000']],
])('%s', (_, bytesAt, isBusy, expected) => {
  expect(verdicts(bytesAt, isBusy)).toEqual(expected);
});
