import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { testLoad } from '../report/testLoad.ts';
import { finishedLoads, Journal, planIdentity, remainingPairs } from './journal.ts';
import { parseOptions, type BenchOptions } from './options.ts';
import { schedule } from './schedule.ts';
import type { WorkerMessage } from './workerMessages.ts';

const load = (page: string, run: number, scheme: string, failed: string | null = null, attempt = 1): WorkerMessage => ({ type: 'load', load: testLoad(page, scheme, run, 1_000, { failed, attempt }), answered: [], missing: [] });
const pairDone = (page: string, run: number): WorkerMessage => ({ type: 'pairDone', page, run });

describe('remainingPairs', () => {
  const pairs = [{ page: 'a', run: 1, order: ['conv', 'all'] }, { page: 'b', run: 1, order: ['all', 'conv'] }, { page: 'a', run: 2, order: ['conv', 'all'] }];

  it('leaves out pairs that are done, and loads of the pair that was under way', () => {
    expect(remainingPairs(pairs, [load('a', 1, 'conv'), load('a', 1, 'all'), pairDone('a', 1), load('b', 1, 'all')])).toEqual([{ page: 'b', run: 1, order: ['conv'] }, { page: 'a', run: 2, order: ['conv', 'all'] }]);
  });

  it('makes a load again that had failed once, and not one that had failed twice', () => {
    expect(remainingPairs(pairs.slice(0, 1), [load('a', 1, 'conv', 'TIMEOUT', 1)])[0]?.order).toEqual(['conv', 'all']);
    expect(remainingPairs(pairs.slice(0, 1), [load('a', 1, 'conv', 'TIMEOUT', 1), load('a', 1, 'conv', 'TIMEOUT', 2)])[0]?.order).toEqual(['all']);
  });

  it('makes each load of the plan once, wherever runs are cut', () => {
    const plan = schedule(['a', 'b', 'c'], ['conv', 'all'], 3, 7);
    fc.assert(
      fc.property(fc.array(fc.nat(12), { maxLength: 20 }), (cuts) => {
        let told: WorkerMessage[] = [];
        for (const length of [...cuts, Number.POSITIVE_INFINITY]) told = finishedLoads([...told, ...work(remainingPairs(plan, told)).slice(0, length)]);
        const loads = told.flatMap((message) => (message.type === 'load' ? [`${message.load.page} ${message.load.run} ${message.load.scheme}`] : []));
        expect(loads.toSorted()).toEqual(plan.flatMap(({ page, run, order }) => order.map((label) => `${page} ${run} ${label}`)).toSorted());
      }),
    );
  });

  /** All that a worker tells of some pairs; every second load fails at first. */
  function work(pairsLeft: ReturnType<typeof remainingPairs>): WorkerMessage[] {
    return pairsLeft.flatMap(({ page, run, order }, place) => [
      ...order.flatMap((label) => (place % 2 === 0 ? [load(page, run, label)] : [load(page, run, label, 'TIMEOUT', 1), load(page, run, label, 'TIMEOUT', 2)].slice(1))),
      pairDone(page, run),
    ]);
  }
});

describe('a run that is continued', () => {
  let root: string;
  beforeEach(async () => {
    root = temporaryDirectory();
    for (const directory of ['dist', 'e2e/bench']) await mkdir(join(root, directory), { recursive: true });
    await writeFile(join(root, 'dist/helper.mjs'), 'helper');
    await writeFile(join(root, 'a.warc'), 'page');
  });

  const identity = (...argv: string[]) => planIdentity(root, parseOptions(['--pages', 'a.warc', ...argv], 'out', false) as BenchOptions, [{ name: 'a', path: join(root, 'a.warc') }], { commit: 'x', node: 'v24' });
  const begin = async () => {
    const journal = await Journal.begin(join(root, 'out'), await identity());
    journal.add(load('a', 1, 'conv'));
  };

  it('has what was told, but for a line that was cut', async () => {
    await begin();
    await appendFile(join(root, 'out/journal.jsonl'), '{"type":"pairDone","pa');
    expect((await Journal.resume(join(root, 'out'), await identity('--limit-minutes', '3'))).earlier).toEqual([load('a', 1, 'conv')]);
    expect((await Journal.resume(join(root, 'out'), await identity())).earlier).toHaveLength(1);
  });

  it.each([
    ['seed', ['--seed', '2'], () => Promise.resolve()],
    ['schemes', ['--schemes', 'conv'], () => Promise.resolve()],
    ['build', [], () => writeFile(join(root, 'dist/helper.mjs'), 'another helper')],
    ['build', [], () => writeFile(join(root, 'e2e/bench/visit.ts'), 'another way to visit a page')],
    ['pages', [], () => writeFile(join(root, 'a.warc'), 'another page')],
  ])('is refused with another %s', async (name, argv, change) => {
    await begin();
    await change();
    await expect(Journal.resume(join(root, 'out'), await identity(...argv))).rejects.toThrow(`not the same ${name}`);
  });

  it('is refused where there is none', async () => {
    await expect(Journal.resume(join(root, 'nowhere'), await identity())).rejects.toMatchObject({ code: 'E_RESUME' });
  });
});
