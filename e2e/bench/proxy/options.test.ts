import { describe, expect, it } from 'vitest';
import { OPTIONS } from './options.ts';

const parse = (...argv: string[]) => OPTIONS.parse(argv, 'out/default');

describe('the options of the proxy\'s benchmark', () => {
  it('have sizes that tell something, unless they are given', () => {
    expect(parse()).toEqual({
      parts: ['small', 'body', 'memory', 'reader'], rounds: 10, requests: 10_000, bodyRounds: 5, memoryRounds: 3, bodyBytes: 2 ** 30,
      pairs: 5, readerBytes: 3_000_000, stopMs: 20_000, receiveBuffers: [null, 174_760], profile: 'sat', seed: 1, out: 'out/default', quick: false,
    });
  });

  it('are less of everything in a quick run, unless they are given', () => {
    expect(parse('--quick', '--body', '8', '--pairs', '3')).toMatchObject({ bodyBytes: 8 * 2 ** 20, pairs: 3, rounds: 2, requests: 400 });
  });

  it('name parts, which run in their own order, each once', () => {
    expect(parse('--parts', 'reader,small,small')).toMatchObject({ parts: ['small', 'reader'] });
  });

  it('have at least one request a round', () => {
    expect(parse('--quick', '--rounds', '500')).toMatchObject({ rounds: 500, requests: 500 });
    expect(parse('--rounds', '10', '--requests', '9')).toMatchObject({ requests: 10 });
  });

  it.each([
    [['page.warc']],
    [['--parts', '']],
    [['--parts', 'small,large']],
    [['--rounds', '0']],
    [['--body', '-1']],
    [['--stop', 'long']],
    [['--receive-buffers', 'small']],
    [['--receive-buffers', '']],
    [['--profile', 'Sat ']],
  ])('refuses %j', (argv) => {
    expect(() => parse(...argv)).toThrow(expect.objectContaining({ code: 'E_OPTION' }) as Error);
  });
});
