import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { readRecord, recordBetween } from './recordFile.ts';

let file: string;
beforeEach(() => void (file = join(temporaryDirectory(), 'record.jsonl')));

const line = (atMs: number): string => `${JSON.stringify({ type: 'resumed', atMs, request: 1 })}\n`;

it('tells the events, without a last line that is still being written', async () => {
  await writeFile(file, `${line(900)}${line(1_234.5678)}${line(2_000).slice(0, 10)}`);
  expect(await readRecord(file)).toEqual([{ type: 'resumed', atMs: 900, request: 1 }, { type: 'resumed', atMs: 1_234.5678, request: 1 }]);
});

it('gives each event to the load whose navigation was the last one before it, with its time after that', () => {
  const events = [900, 1_000, 1_234.5678, 2_000].map((atMs) => ({ type: 'resumed' as const, atMs, request: 1 }));
  const times = (startMs: number, nextStartMs: number): number[] => recordBetween(events, startMs, nextStartMs).map(({ atMs }) => atMs);
  expect(times(1_000, 2_000)).toEqual([0, 234.57]);
  expect(times(2_000, Infinity)).toEqual([0]);
});

it('tells null where no helper has written', async () => {
  expect(await readRecord(file)).toBeNull();
});

it.each(['{"type":"resumed","atMs":1}\n', 'no JSON\n'])('refuses a record that is not one: %j', async (text) => {
  await writeFile(file, text);
  await expect(readRecord(file)).rejects.toThrow();
});
