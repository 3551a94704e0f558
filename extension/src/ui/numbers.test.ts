import { expect, it } from 'vitest';
import { Numbers } from './numbers.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

it.each([
  [0, 'this minute', 'in dieser Minute'],
  [-HOUR, 'this minute', 'in dieser Minute'],
  [59 * MINUTE, '59 minutes ago', 'vor 59 Minuten'],
  [HOUR, '1 hour ago', 'vor 1 Stunde'],
  [23 * HOUR + 59 * MINUTE, '23 hours ago', 'vor 23 Stunden'],
  [DAY, 'yesterday', 'gestern'],
  [9 * DAY, '9 days ago', 'vor 9 Tagen'],
])('%d ms ago is told as %s', (ms, english, german) => {
  expect([new Numbers('en').ago(ms), new Numbers('de').ago(ms)]).toEqual([english, german]);
});

it('writes times, sizes and shares as the language does', () => {
  const german = new Numbers('de');
  expect([german.seconds(2_400), german.seconds(400), german.megabytes(1_340_000), german.percent(0.2)]).toEqual(['2,4 s', '0,40 s', '1,3 MB', '20\u00a0%']);
});
