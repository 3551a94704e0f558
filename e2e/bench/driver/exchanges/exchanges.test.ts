import { describe, expect, it } from 'vitest';
import type { Batch } from './batch.ts';
import { OPTIONS, type Ends } from './options.ts';
import { markdownTable, summarize } from './summary.ts';

describe('exchanges', () => {
  it('compares stock with a driver at one end and at both, unless told otherwise', () => {
    expect(OPTIONS.parse([], 'out/x')).toEqual({ profile: 'wwan', link: [], kinds: ['http', 'https'], ends: ['none', 'client', 'both'], fartherMs: 100, count: 400, batch: 20, parallel: 2, seed: 1, out: 'out/x' });
    expect(OPTIONS.parse(['--link=--gilbert 1000,100,0,0.8', '--ends', 'client,none', '--count', '5'], 'x')).toMatchObject({ link: ['--gilbert', '1000,100,0,0.8'], ends: ['none', 'client'], count: 5 });
    expect(OPTIONS.parse(['--farther', '0'], 'x')).toMatchObject({ fartherMs: 0 });
  });

  it.each([['--count', '0'], ['--kinds', 'ftp'], ['--ends', 'server'], ['--profile', '../x'], ['--parallel', 'many'], ['--seed', '-1']])('refuses %s %s', (...argv) => {
    expect(() => OPTIONS.parse(argv, 'x')).toThrow(expect.objectContaining({ code: 'E_OPTION' }) as Error);
  });

  const batch = (ends: Ends, round: number, ms: number[]): Batch => ({
    kind: 'http', ends, round, exchanges: ms.map((one) => ({ server: 'near', ms: one })), copies: ends === 'none' ? 0 : ms.length * 2, copyBytes: ends === 'none' ? 0 : ms.length * 100,
  });

  it('compares percentiles over all exchanges with those of the stock client', () => {
    const hundred = Array.from({ length: 101 }, (_, i) => i);
    const rows = summarize([batch('none', 0, hundred.map((i) => 2 * i)), batch('client', 0, hundred)], { kinds: ['http'], ends: ['none', 'client'], seed: 1 });
    expect(rows.map(({ ends, percentilesMs }) => [ends, percentilesMs])).toEqual([['none', [100, 190, 198]], ['client', [50, 95, 99]]]);
    expect(rows[0]?.ratios).toBeNull();
    expect(rows[1]?.ratios?.map(({ value }) => value)).toEqual([0.5, 0.5, 0.5]);
    expect(rows[1]).toMatchObject({ exchanges: 101, copiesPerExchange: 2, copyBytesPerExchange: 100 });
    expect(markdownTable(rows, ['head'])).toContain('| http | near | client | 101 | 0 | 50 | 95 | 99 | 0.50 [0.50, 0.50] |');
  });

  it('has rows of each server', () => {
    const both = (ends: Ends, near: number, farther: number): Batch => ({ ...batch(ends, 0, []), exchanges: [{ server: 'near', ms: near }, { server: 'farther', ms: farther }] });
    const rows = summarize([both('none', 100, 200), both('client', 50, 150)], { kinds: ['http'], ends: ['none', 'client'], seed: 1 });
    expect(rows.map(({ server, ends, failures, ratios }) => [server, ends, failures, ratios?.[0]?.value])).toEqual([
      ['near', 'none', 0, undefined], ['near', 'client', 0, 0.5], ['farther', 'none', 0, undefined], ['farther', 'client', 0, 0.75],
    ]);
  });

  it('counts one that failed at once as none that was quick', () => {
    const refused: Batch = { ...batch('client', 0, []), exchanges: [{ server: 'near', ms: 1, failed: 'reset' }] };
    const rows = summarize([batch('none', 0, [100]), refused], { kinds: ['http'], ends: ['none', 'client'], seed: 1 });
    expect(rows[1]).toMatchObject({ failures: 1, percentilesMs: [60_000, 60_000, 60_000] });
    expect(rows[1]?.ratios?.[0]?.value).toBe(600);
  });

  it('has an interval as wide as rounds differ', () => {
    const rows = summarize([0, 1].flatMap((round) => [batch('none', round, [100]), batch('client', round, [round === 0 ? 50 : 100])]), { kinds: ['http'], ends: ['none', 'client'], seed: 1 });
    expect(rows[1]?.ratios?.[0]).toMatchObject({ low: 0.5, high: 1 });
  });
});
