import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { partsWithout } from '../parts.ts';
import { rehearse } from './rehearsal.ts';

const directory = mkdtempSync(join(tmpdir(), 'firstscreen-rehearsal-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const sockets = (): number => process.getActiveResourcesInfo().filter((kind) => /TCP|UDP/.test(kind)).length;

describe('rehearse', () => {
  it.each([['', false], ['', true], ['foresight', true], ['prioritizing', false]])('without %j, intercepting: %s: visits its pages whole, and leaves no connection and no file', async (off, intercepts) => {
    const before = sockets();
    await rehearse({ parts: partsWithout(off), spoolDirectory: directory, intercepts, settled: () => Promise.resolve() });
    await expect.poll(sockets).toBe(before);
    expect(readdirSync(directory)).toEqual([]);
  });
});
