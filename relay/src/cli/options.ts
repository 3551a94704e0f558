import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseAuthority } from '../../../shared/src/names/authority.ts';
import { FINGERPRINT } from '../../../shared/src/relay/wire.ts';
import type { ProxyPlace } from '../proxy/proxySettings.ts';
import { wrongOption } from '../settings/parsedSettings.ts';
import { COMMANDS, COMMAND_ROWS, OPTIONS, OPTION_ROWS, type Command } from './commandTable.ts';

const LEFT_CHARACTERS = 26;

export const HELP = `firstscreen-relay: the far end of Firstscreen, on a machine of your own near the servers of the web

Usage: firstscreen-relay COMMAND --directory DIR

${COMMAND_ROWS.map(([form, meaning]) => `  ${form.padEnd(LEFT_CHARACTERS)}${meaning}`).join('\n')}

${OPTION_ROWS.map(([name, { value, meaning }]) => `  ${[`--${name}`, value].join(' ').padEnd(LEFT_CHARACTERS)}${meaning}`).join('\n')}

A running relay takes over what allow, revoke and proxy change, within a second.
`;

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
  if (!Object.hasOwn(COMMANDS, name)) throw wrongOption(`there is no command "${name}"`);
  const command = name as Command;
  const wanted: readonly string[] = COMMANDS[command].words;
  if (words.length !== wanted.length) throw wrongOption(`${command} is followed by ${wanted.join(' ') || 'no further words'}`);
  const { directory, listen } = values;
  if (directory === undefined || directory === '') throw wrongOption('--directory DIR is missing');
  for (const [option, { onlyFor }] of OPTION_ROWS) if (option in values && onlyFor?.includes(command) === false) throw wrongOption(`--${option} belongs to ${onlyFor.join(' and ')}`);
  const [first = '', second = ''] = words;
  switch (command) {
    case 'init':
      if (listen === undefined) throw wrongOption('--listen HOST:PORT is missing');
      return { command, directory, listen };
    case 'allow':
      return { command, directory, name: first, fingerprint: second };
    case 'revoke':
    case 'proxy-allow':
    case 'proxy-revoke':
      return { command, directory, name: first };
    case 'proxy':
      return { command, directory, place: placeOf(values) };
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
