import { randomBytes } from 'node:crypto';
import { statSync, truncateSync } from 'node:fs';
import { beforeEach, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import type { FirstscreenError } from '../../../shared/src/errors.ts';
import { SpoolBudget } from '../spool/spoolBudget.ts';
import { SpoolFile } from '../spool/spoolFile.ts';
import { spoolFiles } from '../testing/spoolFiles.ts';
import type { Fetch } from '../upstream/fetch.ts';
import { PredictedAnswer } from './predictedAnswer.ts';

const NOTHING = (): void => undefined;
const WATCH = { started: NOTHING, received: NOTHING, ended: NOTHING, failed: NOTHING };
const FETCH: Fetch = { rank: NOTHING, await: NOTHING, revise: () => false, cancel: NOTHING };

let directory: string;
let isCancelled: boolean;
beforeEach(() => {
  directory = temporaryDirectory();
  isCancelled = false;
});

/** An answer that has begun. */
function begun(budget: SpoolBudget): PredictedAnswer {
  const answer = new PredictedAnswer({ budget, directory, maxBytes: { memory: 1_000, disk: 3_000 } }, WATCH);
  answer.asked({ ...FETCH, cancel: () => void (isCancelled = true) }, NOTHING);
  answer.started(200, 'OK', []);
  return answer;
}

/** What the answer has failed with for who has claimed it. */
function failure(answer: PredictedAnswer, started = NOTHING): Promise<FirstscreenError> {
  return new Promise((resolve, reject) => {
    answer.claim({ informed: NOTHING, started, data: () => null, ended: () => reject(new Error('it looks whole')), failed: resolve }, () => true, () => FETCH);
  });
}

it('where what was kept can not be read any more it fails, its request is given up, and nothing is kept', async () => {
  const writes = vi.spyOn(SpoolFile.prototype, 'write');
  const budget = new SpoolBudget({ memory: 0, disk: 3_000 });
  const answer = begun(budget);
  for (let come = 0; come < 3; come += 1) await answer.data(randomBytes(1_000));
  await expect.poll(() => spoolFiles(directory).map((file) => statSync(file).size)).toEqual([3_000]);
  // and what was written is told
  await Promise.all(writes.mock.results.map(({ value }) => value as unknown));
  for (const file of spoolFiles(directory)) truncateSync(file, 0);
  await failure(answer);
  expect(isCancelled).toBe(true);
  await expect.poll(() => spoolFiles(directory)).toEqual([]);
  expect(budget.take('disk', 3_000)).toBe(true);
});

it('a defect of who takes it is the end of this answer, and of nothing else', async () => {
  const answer = begun(new SpoolBudget({ memory: 1_000, disk: 0 }));
  answer.ended([]);
  const { code } = await failure(answer, () => {
    throw new Error('a defect');
  });
  expect([code, isCancelled]).toEqual(['E_INTERNAL', true]);
});

it('dropped before it has come it does not hear of its object any more', () => {
  let isWatched = true;
  const answer = new PredictedAnswer({ budget: new SpoolBudget({ memory: 0, disk: 0 }), directory, maxBytes: { memory: 0, disk: 0 } }, WATCH);
  answer.asked(FETCH, () => (isWatched = false));
  answer.drop();
  expect(isWatched).toBe(false);
});
