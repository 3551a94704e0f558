import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { memoryOf, processorMsOf } from './procfs.ts';

it('reads resident memory and its peak, in bytes', () => {
  expect(memoryOf('Name:\tnode\nVmPeak:\t  900 kB\nVmHWM:\t  200 kB\nVmRSS:\t   100 kB\nThreads:\t1\n')).toEqual({ rssBytes: 102_400, peakBytes: 204_800 });
});

it('does not take a process without memory, which has ended, for a small one', () => {
  expect(() => memoryOf('Name:\tnode\nState:\tZ (zombie)\n')).toThrow('VmRSS');
});

it('sums processor time of user and kernel, whatever the name of the program is', () => {
  expect(processorMsOf('7 (a) 1 (b) S 1 7 7 0 -1 4194304 100 0 0 0 25 17 3 4 20 0 1 0 5 6 7')).toBe(420);
  expect(() => processorMsOf('7 (a) Z')).toThrow('utime');
});

it('reads what the kernel of this machine writes', () => {
  const { rssBytes, peakBytes } = memoryOf(readFileSync('/proc/self/status', 'utf8'));
  expect(rssBytes).toBeGreaterThan(1_000_000);
  expect(peakBytes).toBeGreaterThanOrEqual(rssBytes);
  expect(processorMsOf(readFileSync('/proc/self/stat', 'utf8'))).toBeGreaterThan(0);
});
