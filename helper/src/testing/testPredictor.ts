import { tmpdir } from 'node:os';
import { NOTHING_EXPECTED } from '../../../shared/src/memory/neededObject.ts';
import { readDocument, readSheet } from '../../../shared/src/node/reading/bodyReaders.ts';
import { ObjectRanks } from '../prediction/objectRanks.ts';
import { Predictor, type PredictorOptions } from '../prediction/predictor.ts';
import { spoolOf } from '../spool/spooledBody.ts';
import type { Fetch } from '../upstream/fetch.ts';

/** A request that nobody has a hold of. */
export const UNHELD: Fetch = { rank: () => undefined, await: () => undefined, revise: () => false, cancel: () => undefined };

/** On a link on which it is worth foreseeing, and of a browser of which nothing is known. */
export function testPredictor(fetch: PredictorOptions['fetch'], options: Partial<PredictorOptions> = {}): Predictor {
  return new Predictor({
    fetch, ranks: new ObjectRanks(), isWorthwhile: () => true, navigated: () => undefined, isClosed: () => false, savesData: () => false, connect: () => undefined, profile: 'p', expected: () => NOTHING_EXPECTED, bdpBytes: () => 30_000,
    readDocument, readSheet, spool: spoolOf(tmpdir()), carefully: (foresee) => foresee(), readLater: (read) => read(), now: () => 1, wallNow: () => 0, ...options,
  });
}
