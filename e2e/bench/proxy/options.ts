import { parseArgs } from 'node:util';
import { oneOf, optionError, profileName, wholeNumber } from '../options.ts';

export const PARTS = ['small', 'body', 'memory', 'reader'] as const;
export type Part = (typeof PARTS)[number];

export interface ProxyBenchOptions {
  readonly parts: readonly Part[];
  /** Rounds of small requests; each has every way once, in random order. */
  readonly rounds: number;
  /** Small requests of each kind and way, over all rounds. */
  readonly requests: number;
  /** Rounds of the large body, and of its slow reader. */
  readonly bodyRounds: number;
  readonly memoryRounds: number;
  readonly bodyBytes: number;
  /** Pairs of the reader that stops. */
  readonly pairs: number;
  readonly readerBytes: number;
  readonly stopMs: number;
  /** Upper bounds of the kernel's receive buffers on the reader's side (tcp_rmem, third value), in bytes; null is the machine's own. */
  readonly receiveBuffers: readonly (number | null)[];
  /** Link of the reader that stops. */
  readonly profile: string;
  readonly seed: number;
  readonly out: string;
  readonly json: boolean;
}

export type ParsedOptions = { readonly help: true } | ({ readonly help: false } & ProxyBenchOptions);

export const USAGE = `Usage: npm run bench:proxy -- [options]

  --parts A,B,...       small (many small requests), body (one large body), memory (a slow reader of it),
                        reader (a reader that stops, over the emulated link) (default: all)
  --rounds N            rounds of small requests, every way once a round (default 10)
  --requests N          small requests a kind and way, over all rounds (default 10000)
  --body MIB            the large body (default 1024)
  --body-rounds N       (default 5)
  --memory-rounds N     (default 3)
  --pairs N             pairs of the reader that stops (default 5)
  --reader-bytes N      its body (default 3000000)
  --stop S              how long it stops (default 20)
  --receive-buffers A,B,...
                        bounds of the kernel's receive buffers on its side, in bytes, each measured by
                        itself; default: the machine's own (default: default,174760, the second being
                        Linux 2.6's, on which A3 was measured)
  --profile NAME        its link (default sat)
  --seed N              order within rounds, losses of the link, bootstrap (default 1)
  --quick               small numbers of everything, to see that it runs; other options still count
  --out DIR             where results.json and table.md go (default out/proxy-<time>)
  --json                print results.json to stdout instead of the table
`;

const MEBIBYTE = 1024 * 1024;
const FULL = { rounds: 10, requests: 10_000, bodyRounds: 5, memoryRounds: 3, bodyMiB: 1024, pairs: 5, readerBytes: 3_000_000, stopS: 20 };
const QUICK = { rounds: 2, requests: 400, bodyRounds: 1, memoryRounds: 1, bodyMiB: 64, pairs: 1, readerBytes: 600_000, stopS: 5 };
const MAX_RECEIVE_BUFFER_BYTES = 1_000_000_000;
const MAX_SEED = 2 ** 31 - 1;

/**
 * The command line as options. Pure.
 *
 * @throws FirstscreenError E_OPTION for anything that can not be meant
 */
export function parseOptions(argv: readonly string[], defaultOut: string): ParsedOptions {
  const values = readArguments(argv);
  if (values.help) return { help: true };
  const usual = values.quick === true ? QUICK : FULL;
  const rounds = wholeNumber('--rounds', values.rounds, usual.rounds, 1, 1_000);
  return {
    help: false,
    parts: parseParts(values.parts ?? PARTS.join(',')),
    rounds,
    requests: wholeNumber('--requests', values.requests, Math.max(usual.requests, rounds), rounds, 10_000_000),
    bodyRounds: wholeNumber('--body-rounds', values['body-rounds'], usual.bodyRounds, 1, 1_000),
    memoryRounds: wholeNumber('--memory-rounds', values['memory-rounds'], usual.memoryRounds, 1, 1_000),
    bodyBytes: wholeNumber('--body', values.body, usual.bodyMiB, 1, 65_536) * MEBIBYTE,
    pairs: wholeNumber('--pairs', values.pairs, usual.pairs, 1, 1_000),
    readerBytes: wholeNumber('--reader-bytes', values['reader-bytes'], usual.readerBytes, 200_000, 1_000_000_000),
    stopMs: wholeNumber('--stop', values.stop, usual.stopS, 1, 600) * 1_000,
    receiveBuffers: parseReceiveBuffers(values['receive-buffers'] ?? 'default,174760'),
    profile: profileName(values.profile ?? 'sat'),
    seed: wholeNumber('--seed', values.seed, 1, 0, MAX_SEED),
    out: values.out ?? defaultOut,
    json: values.json ?? false,
  };
}

function readArguments(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...argv],
      options: {
        parts: text, rounds: text, requests: text, body: text, 'body-rounds': text, 'memory-rounds': text, pairs: text, 'reader-bytes': text, stop: text, 'receive-buffers': text,
        profile: text, seed: text, out: text, quick: flag, json: flag, help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw optionError(error instanceof Error ? error.message : String(error), 'npm run bench:proxy -- --help lists the options');
  }
}

function parseParts(text: string): Part[] {
  const asked = text.split(',').map((part) => oneOf('--parts', part.trim(), PARTS));
  return PARTS.filter((part) => asked.includes(part));
}

function parseReceiveBuffers(text: string): (number | null)[] {
  return text.split(',').map((bound) => (bound === 'default' ? null : wholeNumber('--receive-buffers', bound, 0, 4_096, MAX_RECEIVE_BUFFER_BYTES)));
}
