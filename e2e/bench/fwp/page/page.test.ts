import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../pages/random.ts';
import type { Load } from '../../results.ts';
import { OPTIONS } from './options.ts';
import { picturesPage } from './picturesPage.ts';
import { markdownTable, summarize } from './summary.ts';

describe('the benchmark of pictures', () => {
  it('compares stock, the helper, and the helper with a driver, with FWP and without, unless told otherwise', () => {
    expect(OPTIONS.parse([], 'out/x')).toMatchObject({ profile: '20000kbit-50ms', lossPercents: [2, 5], schemes: ['conv', 'all', 'all-driver', 'all-fwp'].map((label) => ({ label })), bytes: 500_000, runs: 5, maxLateMs: null, out: 'out/x' });
  });

  it.each([['--losses', '0.025'], ['--losses', '2'], ['--schemes', 'conv'], ['--schemes', 'conv,none'], ['--bytes', '10'], ['--max-late', 'never']])('refuses %s %s', (...argv) => {
    expect(() => OPTIONS.parse(argv, 'x')).toThrow(expect.objectContaining({ code: 'E_OPTION' }) as Error);
  });

  it('has a page of twelve pictures of so many bytes, with validators', async () => {
    const [document, ...pictures] = await picturesPage(createRandom(1), 30_000);
    expect(pictures).toHaveLength(12);
    expect(new Set(pictures.map(({ body }) => body.length))).toEqual(new Set([30_000]));
    expect(new Set(pictures.map(({ headers }) => headers?.['ETag'])).size).toBe(12);
    for (const { url } of pictures) expect(Buffer.from(document!.body).toString()).toContain(url);
  });

  it('has a row for each scheme, compared with the first one and with the one before', () => {
    const load = (scheme: string, run: number, isrtMs: number | null): Load => ({ page: 'pictures', scheme, run, isrtMs, failed: isrtMs === null ? 'TIMEOUT' : null }) as Load;
    const rows = summarize([{ lossPercent: 2, loads: [load('conv', 1, 8_000), load('all', 1, 4_000), load('all-fwp', 1, 1_000), load('all', 2, null)] }], ['conv', 'all', 'all-fwp'], 1);
    expect(rows.map(({ scheme, loads, failed, toFirst, toLast }) => [scheme, loads, failed, toFirst?.value, toLast?.value])).toEqual([['conv', 1, 0, undefined, undefined], ['all', 1, 1, 0.5, 0.5], ['all-fwp', 1, 0, 0.125, 0.25]]);
    expect(markdownTable(rows, ['head'])).toContain('| 2 % | all-fwp | 1 | 0 | 1000 | 0.13 [0.13, 0.13] | 0.25 [0.25, 0.25] |');
  });
});
