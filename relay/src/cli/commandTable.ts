interface CommandRow {
  /** Words behind it, all of them needed. */
  readonly words: readonly string[];
  /** The option that it can not do without, beside --directory. */
  readonly option?: string;
  readonly meaning: string;
}

/** What each command is given, and does: for the parser, `--help`, the manual page and the shells' completions. */
export const COMMANDS = {
  init: { words: [], option: '--listen HOST:PORT', meaning: 'make a key, a certificate and relay.json; say the fingerprint' },
  allow: { words: ['NAME', 'FINGERPRINT'], meaning: 'let a helper in, by the fingerprint that it says of itself' },
  revoke: { words: ['NAME'], meaning: 'let it in no more; what it has open ends' },
  proxy: { words: [], option: '--address HOST:PORT', meaning: 'be a proxy of browsers as well, with a certificate of your own domain' },
  'proxy-allow': { words: ['NAME'], meaning: 'give a browser a new token; say the link to paste there' },
  'proxy-revoke': { words: ['NAME'], meaning: 'let it in no more; what it has open ends' },
  'proxy-off': { words: [], meaning: 'be no proxy of browsers any more' },
  serve: { words: [], meaning: 'run until SIGTERM or SIGINT; the log goes to standard error' },
  status: { words: [], meaning: 'where it listens, its fingerprint, whom it lets in' },
  doctor: { words: [], meaning: 'check key, clock, port, connections and addresses, and say what to do' },
  fingerprint: { words: [], meaning: 'the fingerprint alone' },
} as const satisfies Readonly<Record<string, CommandRow>>;

export type Command = keyof typeof COMMANDS;

/** Every form of a command line, and what it does, as people read of them. */
export const COMMAND_ROWS: readonly (readonly [form: string, meaning: string])[] = Object.entries(COMMANDS).map(([command, { words, option, meaning }]: readonly [string, CommandRow]) => [[command, ...words, ...(option === undefined ? [] : [option])].join(' '), meaning]);

interface OptionRow {
  /** Of node:util's parseArgs, which reads the table as it is. */
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  /** What the help calls its value. */
  readonly value?: string;
  /** What a shell completes its value to. */
  readonly completesTo?: 'directory' | 'file';
  /** The commands that take it; all of them when absent. */
  readonly onlyFor?: readonly Command[];
  readonly meaning: string;
}

/** Every option, in the order in which people read of them. */
export const OPTIONS = {
  directory: { type: 'string', value: 'DIR', completesTo: 'directory', meaning: 'where its files are' },
  listen: { type: 'string', value: 'HOST:PORT', onlyFor: ['init', 'proxy'], meaning: 'where to listen; proxy: where that is not the port of --address' },
  address: { type: 'string', value: 'HOST:PORT', onlyFor: ['proxy'], meaning: 'where browsers find the proxy' },
  certificate: { type: 'string', value: 'FILE', completesTo: 'file', onlyFor: ['proxy'], meaning: 'the certificate of the proxy with its chain, PEM' },
  key: { type: 'string', value: 'FILE', completesTo: 'file', onlyFor: ['proxy'], meaning: 'its key, PEM' },
  version: { type: 'boolean', short: 'V', meaning: "say the relay's version" },
  help: { type: 'boolean', short: 'h', meaning: 'say this' },
} as const satisfies Readonly<Record<string, OptionRow>>;

/** The rows with their names. */
export const OPTION_ROWS: readonly (readonly [name: string, row: OptionRow])[] = Object.entries(OPTIONS);
