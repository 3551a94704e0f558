import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readRecord } from './recordFile.ts';

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'firstscreen-record-'));
  file = join(directory, 'record.jsonl');
});
afterEach(() => rm(directory, { recursive: true }));

const line = (atMs: number): string => `${JSON.stringify({ type: 'resumed', atMs, request: 1 })}\n`;

it('tells the events since the navigation, after it, without a last line that is still being written', async () => {
  await writeFile(file, `${line(900)}${line(1_000)}${line(1_234.5678)}${line(2_000).slice(0, 10)}`);
  expect(await readRecord(file, 1_000)).toEqual([{ type: 'resumed', atMs: 0, request: 1 }, { type: 'resumed', atMs: 234.57, request: 1 }]);
});

it('tells null where no helper has written', async () => {
  expect(await readRecord(file, 0)).toBeNull();
});

it.each(['{"type":"resumed","atMs":1}\n', 'no JSON\n'])('refuses a record that is not one: %j', async (text) => {
  await writeFile(file, text);
  await expect(readRecord(file, 0)).rejects.toThrow();
});
