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
  it.each(['', 'foresight', 'prioritizing'])('without %j: visits its page whole, and leaves no connection and no file', async (off) => {
    const before = sockets();
    await rehearse(partsWithout(off), directory);
    await expect.poll(sockets).toBe(before);
    expect(readdirSync(directory)).toEqual([]);
  });
});
