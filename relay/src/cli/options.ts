import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseAuthority } from '../../../shared/src/names/authority.ts';
import { FINGERPRINT } from '../../../shared/src/relay/wire.ts';
import type { ProxyPlace } from '../proxy/proxySettings.ts';
import { wrongOption } from '../settings/parsedSettings.ts';

/** What each command is given after its name. */
const WORDS = { init: [], allow: ['NAME', 'FINGERPRINT'], revoke: ['NAME'], proxy: [], 'proxy-allow': ['NAME'], 'proxy-revoke': ['NAME'], 'proxy-off': [], serve: [], status: [], doctor: [], fingerprint: [] } as const satisfies Readonly<Record<string, readonly string[]>>;

export type Command = keyof typeof WORDS;

export const COMMANDS = Object.keys(WORDS) as readonly Command[];

/** What each command line does, for `--help`, the manual page and the shells' completions. */
export const MEANINGS: readonly (readonly [left: string, right: string])[] = [
  ['init --listen HOST:PORT', 'make a key, a certificate and relay.json; say the fingerprint'],
  ['allow NAME FINGERPRINT', 'let a helper in, by the fingerprint that it says of itself'],
  ['revoke NAME', 'let it in no more; what it has open ends'],
  ['proxy --address HOST:PORT', 'be a proxy of browsers as well, with a certificate of your own domain'],
  ['proxy-allow NAME', 'give a browser a new token; say the link to paste there'],
  ['proxy-revoke NAME', 'let it in no more; what it has open ends'],
  ['proxy-off', 'be no proxy of browsers any more'],
  ['serve', 'run until SIGTERM or SIGINT; the log goes to standard error'],
  ['status', 'where it listens, its fingerprint, whom it lets in'],
  ['doctor', 'check key, clock, port, connections and addresses, and say what to do'],
  ['fingerprint', 'the fingerprint alone'],
];

/** Options with what the help calls their value and what they mean. */
export const OPTION_MEANINGS: readonly (readonly [name: string, value: string | null, meaning: string])[] = [
  ['directory', 'DIR', 'where its files are'],
  ['certificate', 'FILE', 'of proxy: the certificate with its chain, PEM'],
  ['key', 'FILE', 'of proxy: its key, PEM'],
  ['version', null, "say the relay's version"],
  ['help', null, 'say this'],
];

export const HELP = `firstscreen-relay: the far end of Firstscreen, on a machine of your own near the servers of the web

Usage: firstscreen-relay COMMAND --directory DIR

${MEANINGS.map(([left, right]) => `  ${left.padEnd(26)}${right}`).join('\n')}

${OPTION_MEANINGS.map(([name, value, meaning]) => `  ${`--${name}${value === null ? '' : ` ${value}`}`.padEnd(26)}${meaning}`).join('\n')}

proxy takes --certificate and --key, and --listen HOST:PORT where that is not the port of --address.
A running relay takes over what allow, revoke and proxy change, within a second.
`;

const OPTIONS = {
  directory: { type: 'string' },
  listen: { type: 'string' },
  address: { type: 'string' },
  certificate: { type: 'string' },
  key: { type: 'string' },
  version: { type: 'boolean', short: 'V' },
  help: { type: 'boolean', short: 'h' },
} as const;

export type Options =
  | { readonly command: 'help' }
  | { readonly command: 'version' }
  | { readonly command: 'init'; readonly directory: string; readonly listen: string }
  | { readonly command: 'allow'; readonly directory: string; readonly name: string; readonly fingerprint: string }
  | { readonly command: 'revoke' | 'proxy-allow' | 'proxy-revoke'; readonly directory: string; readonly name: string }
  | { readonly command: 'proxy'; readonly directory: string; readonly place: ProxyPlace }
  | { readonly command: 'doctor'; readonly directory: string }
  | { readonly command: 'proxy-off' | 'serve' | 'status' | 'fingerprint'; readonly directory: string };

/** @throws FirstscreenError E_OPTION */
export function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  if (values.help === true) return { command: 'help' };
  if (values.version === true) return { command: 'version' };
  const [name, ...words] = positionals;
  if (name === undefined) return { command: 'help' };
  const command = COMMANDS.find((known) => known === name);
  if (command === undefined) throw wrongOption(`there is no command "${name}"`);
  if (words.length !== WORDS[command].length) throw wrongOption(`${command} is followed by ${WORDS[command].join(' ') || 'no further words'}`);
  const { directory, listen } = values;
  if (directory === undefined || directory === '') throw wrongOption('--directory DIR is missing');
  if (command !== 'init' && command !== 'proxy' && listen !== undefined) throw wrongOption('--listen belongs to init and proxy');
  if (command === 'init' && listen === undefined) throw wrongOption('--listen HOST:PORT is missing');
  const isOfProxy = [values.address, values.certificate, values.key].some((value) => value !== undefined);
  if (command !== 'proxy' && isOfProxy) throw wrongOption('--address, --certificate and --key belong to proxy');
  const [first = '', second = ''] = words;
  switch (command) {
    case 'init':
      return { command, directory, listen: listen ?? '' };
    case 'allow':
      return { command, directory, name: first, fingerprint: second };
    case 'revoke':
    case 'proxy-allow':
    case 'proxy-revoke':
      return { command, directory, name: first };
    case 'proxy':
      return { command, directory, place: placeOf(values) };
    case 'doctor':
      return { command, directory };
    default:
      return { command, directory };
  }
}

function placeOf({ listen, address, certificate, key }: Partial<Record<keyof ProxyPlace, string>>): ProxyPlace {
  if (address === undefined || certificate === undefined || key === undefined) throw wrongOption('proxy needs --address HOST:PORT, --certificate FILE and --key FILE');
  return { listen: listen ?? `[::]:${parseAuthority(address)?.port ?? 0}`, address, certificate: resolve(certificate), key: resolve(key) };
}

function parse(args: readonly string[]) {
  try {
    // a fingerprint may begin with a dash, and is the last word
    const isDashed = (arg: string): boolean => arg.startsWith('-') && FINGERPRINT.test(arg);
    const ordered = [...args.filter((arg) => !isDashed(arg)), ...args.filter(isDashed).flatMap((arg) => ['--', arg])];
    return parseArgs({ args: ordered, allowPositionals: true, options: OPTIONS });
  } catch (cause) {
    throw wrongOption(cause instanceof Error ? (cause.message.split('. ')[0] ?? '') : 'the options can not be read', cause);
  }
}
