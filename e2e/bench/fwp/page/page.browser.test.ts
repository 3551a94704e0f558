import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { LossyLoads } from './summary.ts';
import { page } from './subject.ts';

it('loads large pictures over a link with losses, with FWP and without', async (context) => {
  if (process.getuid?.() !== 0) context.skip('needs root, for the driver');
  const out = await mkdtemp(join(tmpdir(), 'firstscreen-fwp-page-'));
  try {
    const { results } = await page.prepare(['--schemes', 'conv,all-fwp', '--losses', '0.02', '--bytes', '200000', '--runs', '1', '--max-late', '1000', '--out', out], 'out/x')!.measure();
    const { measured } = results as { measured: LossyLoads[] };
    expect(measured.flatMap(({ loads }) => loads.map(({ scheme, failed }) => [scheme, failed])).toSorted()).toEqual([['all-fwp', null], ['conv', null]]);
  } finally {
    await rm(out, { recursive: true, force: true });
  }
});
