import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { afterAll, describe, expect, it } from 'vitest';
import { partsWithout } from '../parts.ts';
import { rehearse } from './rehearsal.ts';

const directory = mkdtempSync(join(tmpdir(), 'firstscreen-rehearsal-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Of garbage, as Node tells of it; its types do not know. */
interface Collection {
  readonly startTime: number;
  readonly detail: { readonly kind: number; readonly flags: number };
}

const sockets = (): number => process.getActiveResourcesInfo().filter((kind) => /TCP|UDP/.test(kind)).length;

describe('rehearse', () => {
  it.each([['', false], ['', true], ['foresight', true], ['prioritizing', false]])('without %j, intercepting: %s: visits its pages whole, and leaves no connection and no file', async (off, intercepts) => {
    const before = sockets();
    await rehearse({ parts: partsWithout(off), spoolDirectory: directory, intercepts, settled: () => Promise.resolve() });
    await expect.poll(sockets).toBe(before);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('leaves its garbage to no page', async () => {
    const collections: Collection[] = [];
    const observer = new PerformanceObserver((list) => collections.push(...(list.getEntries() as unknown as Collection[])));
    observer.observe({ entryTypes: ['gc'] });
    let lastVisitMs = 0;
    await rehearse({ parts: partsWithout(''), spoolDirectory: directory, intercepts: false, settled: () => Promise.resolve(void (lastVisitMs = performance.now())) });
    await expect.poll(() => collections.some(({ startTime, detail }) => startTime >= lastVisitMs && detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR && detail.flags === constants.NODE_PERFORMANCE_GC_FLAGS_FORCED)).toBe(true);
    observer.disconnect();
  });
});
