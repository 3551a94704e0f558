import { describe, expect, it } from 'vitest';
import { OPTIONS } from './options.ts';
import { SWEEPS } from './sweeps.ts';

const parse = (...argv: string[]) => OPTIONS.parse(argv, 'out/default');
const labels = (options: ReturnType<typeof parse>) => options?.schemes.map(({ label }) => label);

describe('the options of the figures', () => {
  it('draw all six with the report\'s five schemes', () => {
    const options = parse();
    expect(options).toMatchObject({ sweeps: SWEEPS, runs: 3, seed: 1, maxLateMs: null, quick: false, out: 'out/default' });
    expect(labels(options)).toEqual(['conv', 'pf-managed', 'pf+or', 'pf+cm', 'all']);
  });

  it('are less of everything in a quick run, unless they are given', () => {
    expect(labels(parse('--quick'))).toEqual(['conv', 'pf-managed', 'all']);
    const options = parse('--quick', '--runs', '2', '--schemes', 'conv,conv');
    expect(options).toMatchObject({ runs: 2, quick: true });
    expect(labels(options)).toEqual(['conv', 'conv#2']);
    expect(options?.sweeps.map(({ points }) => points.length)).toEqual([2, 2, 2, 2, 2, 2]);
  });

  it('name figures, which are drawn in the report\'s order', () => {
    expect(parse('--figure', 'rtt,servers')?.sweeps.map(({ name }) => name)).toEqual(['servers', 'rtt']);
  });

  it.each([['--figure', 'loss'], ['--schemes', 'conv'], ['--schemes', 'conv,fast'], ['--runs', '0'], ['--seed', 'x'], ['--max-late', '0'], ['a.warc']])('are refused with a code: %s %s', (...argv) => {
    expect(() => parse(...argv)).toThrow(expect.objectContaining({ code: 'E_OPTION' }) as Error);
  });
});
