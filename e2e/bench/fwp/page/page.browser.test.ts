import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../shared/src/node/testing/temporaryDirectory.ts';
import type { LossyLoads } from './summary.ts';
import { page } from './subject.ts';

it('loads large pictures over a link with losses, with FWP and without', async (context) => {
  if (process.getuid?.() !== 0) context.skip('needs root, for the driver');
  const { results } = await page.prepare(['--schemes', 'conv,all-fwp', '--losses', '0.02', '--bytes', '200000', '--runs', '1', '--max-late', '1000', '--out', temporaryDirectory()], 'out/x')!.measure();
  const { measured } = results as { measured: LossyLoads[] };
  expect(measured.flatMap(({ loads }) => loads.map(({ scheme, failed }) => [scheme, failed])).toSorted()).toEqual([['all-fwp', null], ['conv', null]]);
});
