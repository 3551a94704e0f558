import { expect, it } from 'vitest';
import { timeOnStackMs, type CpuProfile } from './stackTime.ts';

const frame = (url: string): { functionName: string; url: string } => ({ functionName: '', url });
const PROFILE: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame(''), children: [2, 4] },
    { id: 2, callFrame: frame('ours.js'), children: [3] },
    { id: 3, callFrame: frame(''), children: [5] },
    { id: 4, callFrame: frame('page.js') },
    { id: 5, callFrame: frame('ours.js') },
  ],
  samples: [1, 2, 3, 4, 5, 1],
  timeDeltas: [0, 1000, 2000, 4000, 8000, 16_000],
};

it('sums the time of our functions and of all they call, once, each sample lasting until the next', () => {
  expect(timeOnStackMs(PROFILE, (url) => url === 'ours.js')).toBe(2 + 4 + 16);
});

it('is nothing where we are not', () => {
  expect(timeOnStackMs(PROFILE, () => false)).toBe(0);
});
