import { describe, expect, it } from 'vitest';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { parseOptions } from './options.ts';

const parse = (...argv: string[]) => parseOptions(argv, 'out/default');

describe('parseOptions', () => {
  it('fills in what was not said: the sizes that issue 3 asks for', () => {
    expect(parse()).toEqual({
      help: false, parts: ['small', 'body', 'memory', 'reader'], rounds: 10, requests: 10_000, bodyRounds: 5, memoryRounds: 3, bodyBytes: 2 ** 30,
      pairs: 5, readerBytes: 3_000_000, stopMs: 20_000, receiveBuffers: [null, 174_760], profile: 'sat', seed: 1, out: 'out/default', json: false,
    });
  });

  it('takes what was said over what --quick says', () => {
    expect(parse('--quick', '--body', '8', '--pairs', '3')).toMatchObject({ bodyBytes: 8 * 2 ** 20, pairs: 3, rounds: 2, requests: 400 });
  });

  it('runs parts in their own order, each once', () => {
    expect(parse('--parts', 'reader,small,small')).toMatchObject({ parts: ['small', 'reader'] });
  });

  it('makes at least one request a round', () => {
    expect(parse('--quick', '--rounds', '500')).toMatchObject({ rounds: 500, requests: 500 });
    expect(() => parse('--rounds', '10', '--requests', '9')).toThrow(FirstscreenError);
  });

  it.each([
    [['--bogus']],
    [['page.warc']],
    [['--parts', '']],
    [['--parts', 'small,large']],
    [['--rounds', '0']],
    [['--rounds', '1.5']],
    [['--body', '-1']],
    [['--stop', 'long']],
    [['--receive-buffers', 'small']],
    [['--receive-buffers', '']],
    [['--profile', '--seed']],
    [['--profile', 'Sat ']],
    [['--seed', '1e9']],
  ])('refuses %j', (argv) => {
    expect(() => parse(...argv)).toThrow(expect.objectContaining({ code: 'E_OPTION' }) as Error);
  });

  it('asks for nothing else when help is wanted', () => {
    expect(parse('--help')).toEqual({ help: true });
  });
});
