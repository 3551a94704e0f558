import { choices, option, profile, QUICK, seed, whole, withQuick, type CommandOptions, type OptionsOf } from '../commandOptions.ts';
import { receiveBuffers, wholeNumber } from '../optionValues.ts';

const PARTS = ['small', 'body', 'memory', 'reader'] as const;

const MEBIBYTE = 1024 * 1024;
const FULL = { rounds: 10, requests: 10_000, bodyRounds: 5, memoryRounds: 3, bodyMiB: 1024, pairs: 5, readerBytes: 3_000_000, stopS: 20 };
const LESS: typeof FULL = { rounds: 2, requests: 400, bodyRounds: 1, memoryRounds: 1, bodyMiB: 64, pairs: 1, readerBytes: 600_000, stopS: 5 };

const table = (usual: typeof FULL) => ({
  parts: choices('parts A,B,...', 'small (many small requests), body (one large body), memory (a slow reader of it), reader (a reader that stops, over the emulated link)', PARTS),
  rounds: whole('rounds N', 'of small requests, every way once a round', usual.rounds, 1, 1_000),
  requests: whole('requests N', 'small requests a kind and way, over all rounds; at least one a round', usual.requests, 1, 10_000_000),
  bodyBytes: option('body MIB', 'the large body', String(usual.bodyMiB), (text, name) => wholeNumber(name, text, 1, 65_536) * MEBIBYTE),
  bodyRounds: whole('body-rounds N', 'of it', usual.bodyRounds, 1, 1_000),
  memoryRounds: whole('memory-rounds N', 'of its slow reader', usual.memoryRounds, 1, 1_000),
  pairs: whole('pairs N', 'of the reader that stops', usual.pairs, 1, 1_000),
  readerBytes: whole('reader-bytes N', 'its body', usual.readerBytes, 200_000, 1_000_000_000),
  stopMs: option('stop S', 'how long it stops', String(usual.stopS), (text, name) => wholeNumber(name, text, 1, 600) * 1_000),
  receiveBuffers: option(
    'receive-buffers A,B',
    "upper bounds of the kernel's receive buffers on its side (tcp_rmem, third value), in bytes, each measured by itself; default: the machine's own; the usual second one is that of Linux 2.6, on which A3 was measured",
    'default,174760', (text, name) => receiveBuffers(name, text),
  ),
  profile: profile('sat'),
  seed: seed('order within rounds, losses of the link, bootstrap'),
  quick: QUICK,
});

export type ProxyBenchOptions = OptionsOf<ReturnType<typeof table>>;

const GIVEN = withQuick('bench:proxy', "What the helper's proxy costs, and what IB gains.", FULL, LESS, table);

export const OPTIONS: CommandOptions<ProxyBenchOptions> = {
  ...GIVEN,
  parse(argv, defaultOut) {
    const options = GIVEN.parse(argv, defaultOut);
    return options === null ? null : { ...options, requests: Math.max(options.requests, options.rounds) };
  },
};
