import { expect, it } from 'vitest';
import { latenessLimitMs } from './lateness.ts';

it.each([
  [10, null, 5],
  [150, null, 7.5],
  [150, 40, 40],
])('with a round trip of %s ms and %s chosen, a link may be %s ms late', (rttMs, chosenMs, limitMs) => expect(latenessLimitMs(rttMs, chosenMs)).toBe(limitMs));
