import { describe, expect, it } from 'vitest';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { parseOptions } from './options.ts';
import { SWEEPS } from './sweeps.ts';

const parse = (...argv: string[]) => parseOptions(argv, 'out/default');
const labels = (options: ReturnType<typeof parse>) => (options.help ? [] : options.schemes.map(({ label }) => label));

describe('parseOptions of the figures', () => {
  it('draws all six with the report\'s five schemes', () => {
    const options = parse();
    expect(options).toMatchObject({ help: false, sweeps: SWEEPS, runs: 3, seed: 1, maxLateMs: null, quick: false, out: 'out/default' });
    expect(labels(options)).toEqual(['conv', 'pf-managed', 'pf+or', 'pf+cm', 'all']);
  });

  it('has less of everything in a quick run, unless it is asked for', () => {
    expect(labels(parse('--quick'))).toEqual(['conv', 'pf-managed', 'all']);
    const options = parse('--quick', '--runs', '2', '--schemes', 'conv,conv');
    expect(options).toMatchObject({ runs: 2, quick: true });
    expect(labels(options)).toEqual(['conv', 'conv#2']);
    expect(options.help ? [] : options.sweeps.map(({ points }) => points.length)).toEqual([2, 2, 2, 2, 2, 2]);
  });

  it('draws the figures named, in the report\'s order', () => {
    const options = parse('--figure', 'rtt', '--figure', 'servers');
    expect(options.help ? [] : options.sweeps.map(({ name }) => name)).toEqual(['servers', 'rtt']);
  });

  it('helps', () => {
    expect(parse('--help')).toEqual({ help: true });
  });

  it.each([[['--figure', 'loss']], [['--figure']], [['--schemes', 'conv']], [['--schemes', 'conv,fast']], [['--runs', '0']], [['--seed', 'x']], [['--max-late', '0']], [['--bogus']], [['a.warc']]])(
    'refuses %j with E_OPTION and a next step',
    (argv) => {
      let error: unknown;
      try {
        parse(...argv);
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toBeInstanceOf(FirstscreenError);
      expect((error as FirstscreenError).code).toBe('E_OPTION');
      expect((error as FirstscreenError).next).not.toBe('');
    },
  );
});
