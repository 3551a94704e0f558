import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { FirstscreenError } from '../../../shared/src/errors.ts';
import { SpoolBudget } from '../spool/spoolBudget.ts';
import { spoolFiles } from '../testing/spoolFiles.ts';
import type { Fetch } from '../upstream/fetch.ts';
import { PredictedAnswer } from './predictedAnswer.ts';

it('where what was kept can not be read any more it fails, its request is given up, and nothing is kept', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'firstscreen-predicted-'));
  const budget = new SpoolBudget({ memory: 0, disk: 3_000 });
  const nothing = (): void => undefined;
  const answer = new PredictedAnswer({ budget, directory, maxBytes: { memory: 1_000, disk: 3_000 } }, { started: nothing, received: nothing, ended: nothing, failed: nothing });
  let isCancelled = false;
  const fetch: Fetch = { rank: nothing, await: nothing, revise: () => false, cancel: () => void (isCancelled = true) };
  answer.asked(fetch, nothing);
  answer.started(200, 'OK', []);
  for (let come = 0; come < 3; come += 1) await answer.data(randomBytes(1_000));
  await expect.poll(() => spoolFiles(directory).map((file) => statSync(file).size)).toEqual([3_000]);
  // and what was written is told
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (const file of spoolFiles(directory)) truncateSync(file, 0);
  const failed = Promise.withResolvers<FirstscreenError>();
  const sink = { informed: nothing, started: nothing, data: () => null, ended: () => failed.reject(new Error('it looks whole')), failed: (error: FirstscreenError) => failed.resolve(error) };
  answer.claim(sink, () => true, () => fetch);
  await failed.promise;
  expect(isCancelled).toBe(true);
  await expect.poll(() => spoolFiles(directory)).toEqual([]);
  expect(budget.take('disk', 3_000)).toBe(true);
  rmSync(directory, { recursive: true });
});
