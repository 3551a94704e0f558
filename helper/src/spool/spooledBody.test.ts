import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { spoolFiles } from '../testing/spoolFiles.ts';
import { SpoolBudget } from './spoolBudget.ts';
import { SpoolFile, sweepSpools } from './spoolFile.ts';
import { SpooledBody, type SpoolOptions } from './spooledBody.ts';

const MEBIBYTE = 1024 * 1024;
const NO_LIMIT = { memory: Infinity, disk: Infinity };
let directory: string;
beforeEach(() => {
  directory = join(temporaryDirectory(), 'spool');
});

const options = (overrides: Partial<SpoolOptions> = {}): SpoolOptions => ({ budget: new SpoolBudget(NO_LIMIT), directory, maxBytes: { memory: 1000, disk: 100_000 }, ...overrides });
async function readAll(body: SpooledBody): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
}
const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('SpooledBody', () => {
  it('gives what was written, in order and exact, wherever it was kept and however reader and writer take turns', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 3000 }), pauses: fc.nat(2) }), { maxLength: 60 }), fc.array(fc.nat(2), { minLength: 1 }), async (writes, reads) => {
        const budget = new SpoolBudget({ memory: 5_000, disk: 20_000 });
        const body = new SpooledBody(options({ budget, maxBytes: { memory: 2_000, disk: 10_000 } }));
        const written: Buffer[] = [];
        const writer = (async () => {
          for (const { bytes, pauses } of writes) {
            for (let i = 0; i < pauses; i += 1) await new Promise(setImmediate);
            const chunk = randomBytes(bytes);
            written.push(chunk);
            if (!body.write(chunk)) await body.room();
          }
          body.end();
        })();
        const read: Buffer[] = [];
        let turn = 0;
        for await (const chunk of body.read()) {
          read.push(chunk);
          for (let i = 0; i < (reads[turn++ % reads.length] ?? 0); i += 1) await new Promise(setImmediate);
        }
        await writer;
        expect(sha(Buffer.concat(read))).toBe(sha(Buffer.concat(written)));
        await body.close();
        expect([budget.take('memory', 5_000), budget.take('disk', 20_000)]).toEqual([true, true]);
      }),
      { numRuns: 60 },
    );
  });

  it('takes a body at once that its reader does not take, without a file to be seen', async () => {
    const body = new SpooledBody(options({ maxBytes: { memory: 1000, disk: 10_000_000 } }));
    const whole = randomBytes(900_000);
    for (let at = 0; at < whole.length; at += 50_000) if (!body.write(whole.subarray(at, at + 50_000))) await body.room();
    body.end();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(readdirSync(directory)).toEqual([]);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(sha(await readAll(body))).toBe(sha(whole));
    await body.close();
  });

  it.each([{ memory: 10, disk: 20 }, { memory: 0, disk: 30 }])('beyond its bounds (%j) the writer has to wait, until the reader has taken as much as waits', async (maxBytes) => {
    const body = new SpooledBody(options({ maxBytes }));
    for (const bytes of [10, 20]) if (!body.write(Buffer.alloc(bytes))) await body.room();
    expect(body.write(Buffer.alloc(8))).toBe(false);
    let hasRoom = false;
    void body.room().then(() => (hasRoom = true));
    await new Promise(setImmediate);
    expect(hasRoom).toBe(false);
    const reader = body.read();
    expect((await reader.next()).value).toHaveLength(10);
    await expect.poll(() => hasRoom).toBe(true);
    for (const expected of [20, 8]) expect((await reader.next()).value).toHaveLength(expected);
    await body.close();
  });

  it('holds little more of the disk than what is needed, also where its reader never catches up', async () => {
    const body = new SpooledBody(options({ maxBytes: { memory: 0, disk: 8 * MEBIBYTE } }));
    const reader = body.read();
    const chunk = randomBytes(MEBIBYTE);
    let most = 0;
    for (let written = 0; written < 60; written += 1) {
      if (!body.write(chunk)) await body.room();
      if (written < 4) continue;
      expect(((await reader.next()).value as Buffer).equals(chunk)).toBe(true);
      most = Math.max(most, spoolFiles(directory).reduce((sum, file) => sum + statSync(file).size, 0));
    }
    expect([most > 4 * MEBIBYTE, most < 32 * MEBIBYTE]).toEqual([true, true]);
    await body.close();
    expect(spoolFiles(directory)).toEqual([]);
  });

  it('of several bodies none passes what all may keep', async () => {
    const budget = new SpoolBudget({ memory: 100, disk: 0 });
    const [one, other] = [new SpooledBody(options({ budget })), new SpooledBody(options({ budget }))];
    expect([one.write(Buffer.alloc(100)), other.write(Buffer.alloc(1))]).toEqual([true, false]);
    await one.close();
    expect(budget.take('memory', 100)).toBe(true);
    await other.close();
  });

  it('where no file can be made nothing is lost: the writer has to wait', async () => {
    writeFileSync(join(directory, '..', 'file'), '');
    const body = new SpooledBody(options({ directory: join(directory, '..', 'file', 'spool'), maxBytes: { memory: 4, disk: 100 } }));
    body.write(Buffer.from('abcd'));
    body.write(Buffer.from('efgh'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(body.write(Buffer.from('ij'))).toBe(false);
    body.end();
    expect(String(await readAll(body))).toBe('abcdefghij');
    await body.close();
  });

  it('where its file was cut by somebody else it fails, and keeps nothing of what all may keep', async () => {
    const writes = vi.spyOn(SpoolFile.prototype, 'write');
    const budget = new SpoolBudget({ memory: 0, disk: 3_000 });
    const body = new SpooledBody(options({ budget }));
    for (let written = 0; written < 3; written += 1) if (!body.write(randomBytes(1_000))) await body.room();
    await expect.poll(() => spoolFiles(directory).map((file) => statSync(file).size)).toEqual([3_000]);
    // and what was written is told
    await Promise.all(writes.mock.results.map(({ value }) => value as unknown));
    for (const file of spoolFiles(directory)) truncateSync(file, 0);
    await expect(readAll(body)).rejects.toThrow('shorter');
    await body.close();
    expect(budget.take('disk', 3_000)).toBe(true);
  });

  it('a body that breaks off is read as far as it came, then fails', async () => {
    const body = new SpooledBody(options());
    body.write(Buffer.from('half'));
    body.end(new Error('reset'));
    const reader = body.read();
    expect(String((await reader.next()).value)).toBe('half');
    await expect(reader.next()).rejects.toThrow('reset');
    await body.close();
  });

  it('closed, it wakes a reader and a writer that wait', async () => {
    const body = new SpooledBody(options({ maxBytes: { memory: 0, disk: 0 } }));
    body.write(Buffer.alloc(1));
    const waiting = body.room();
    const reader = body.read();
    await reader.next();
    body.write(Buffer.alloc(1));
    await reader.next();
    const next = reader.next();
    await body.close();
    await waiting;
    expect((await next).done).toBe(true);
    expect(body.write(Buffer.alloc(9))).toBe(true);
  });
});

describe('sweepSpools', () => {
  it('removes spools that an earlier process left, and nothing else; a directory that is not there is no error', async () => {
    await sweepSpools(directory);
    const parent = join(directory, '..');
    for (const name of ['a.spool', 'b.txt']) writeFileSync(join(parent, name), '');
    chmodSync(parent, 0o700);
    await sweepSpools(parent);
    expect(readdirSync(parent)).toEqual(['b.txt']);
  });
});
