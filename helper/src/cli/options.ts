import { parseArgs } from 'node:util';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { isChromiumExtensionId } from '../../../shared/src/protocol/identity.ts';
import { parseAuthority, type Destination } from '../../../shared/src/names/authority.ts';
import { FINGERPRINT } from '../../../shared/src/relay/wire.ts';
import { BROWSERS, BROWSER_NAMES, type BrowserName } from './browsers.ts';
import { ACTIONS, COMMANDS, OPTIONS, actionsOf, commandsOf, type Command } from './commandTable.ts';
import type { Scope } from './layout.ts';
import type { SetupOrder } from './relaySetup/setupOrder.ts';
import { parseSshTarget, type SshTarget } from './relaySetup/sshTarget.ts';

/** What `relay` is to do. */
export type RelayOrder =
  | { readonly action: 'status' }
  | { readonly action: 'add'; readonly host: string; readonly port: number; readonly fingerprint: string }
  | TerminateOrder
  /** `far`: the machine of the relay, where it is taken back, too; null: here alone. */
  | { readonly action: 'remove'; readonly far: SshTarget | null }
  | ({ readonly action: 'setup' } & SetupOrder);

/** Of whom the relay makes the requests; a host that is null stands for all. */
export type TerminateOrder = { readonly action: 'terminate' } & ({ readonly change: 'list' } | { readonly change: 'add' | 'remove'; readonly host: string | null });

export interface Options {
  readonly command: Command | 'help' | 'version';
  /** Empty: every browser that the command finds. */
  readonly browsers: readonly BrowserName[];
  /** The root of a Chromium profile that is not in its usual place. */
  readonly userDataDir: string | null;
  /** Extensions that may use the helper beside the one with the pinned id. */
  readonly extensionIds: readonly string[];
  readonly scope: Scope;
  /** Have Chromium browsers install the extension by an administrator's policy, for all users. */
  readonly policy: boolean;
  /** Whose pages to forget; null for all. */
  readonly site: string | null;
  /** Of the command `relay`; null for any other. */
  readonly relay: RelayOrder | null;
  readonly dryRun: boolean;
  /** Do not ask. */
  readonly yes: boolean;
  readonly json: boolean;
}

/** @throws FirstscreenError E_OPTION */
export function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  const { policy = false, system = policy, yes = false, json = false, site, 'dry-run': dryRun = false, 'user-data-dir': userDataDir = null } = values;
  const command = values.help === true ? 'help' : values.version === true ? 'version' : checkCommand(positionals[0]);
  const words = positionals.slice(1);
  const relay = command === 'relay' ? checkRelayOrder(words, values) : null;
  if (relay === null && words.length > 0 && command !== 'help' && command !== 'version') throw wrong(`"${command}" takes no further words, but got "${words.join(' ')}"`);
  const stray = Object.keys(values).find((name) => command !== 'help' && command !== 'version' && commandsOf(name)?.includes(command) === false);
  if (stray !== undefined) throw wrong(`--${stray} belongs to ${commandsOf(stray)?.join(', ') ?? ''}`);
  const browsers = (values.browser ?? []).flatMap((name) => (name === 'all' ? BROWSER_NAMES : [checkBrowser(name)]));
  if (system && userDataDir !== null) throw wrong('--system and --user-data-dir exclude each other');
  if (userDataDir !== null && /^(~|$)/.test(userDataDir)) throw wrong(`--user-data-dir takes a directory, not "${userDataDir}": no shell replaces a "~" behind a "="`);
  if (userDataDir !== null && browsers.some((browser) => BROWSERS[browser].family !== 'chromium')) throw wrong('--user-data-dir is not for Firefox, which has one place for all profiles');
  if (userDataDir !== null && browsers.length > 1) throw wrong('--user-data-dir belongs to one browser');
  return {
    command,
    browsers: [...new Set(browsers)],
    userDataDir,
    extensionIds: [...new Set((values['extension-id'] ?? []).map(checkExtensionId))],
    scope: system ? 'system' : 'user',
    policy,
    site: site === undefined ? null : checkSite(site),
    relay,
    dryRun,
    yes,
    json,
  };
}

function parse(args: readonly string[]) {
  try {
    // a fingerprint may begin as an option does, and is the last of its words
    const isDashed = (word: string): boolean => word.startsWith('-') && FINGERPRINT.test(word);
    const last = args.filter(isDashed);
    return parseArgs({ args: last.length === 0 ? [...args] : [...args.filter((word) => !isDashed(word)), '--', ...last], allowPositionals: true, options: OPTIONS });
  } catch (cause) {
    throw wrong(cause instanceof Error ? (cause.message.split('. ')[0] ?? '') : 'the options can not be read', cause);
  }
}

function checkExtensionId(id: string): string {
  if (!isChromiumExtensionId(id)) throw wrong(`"${id}" is no id of a Chromium extension, which has 32 letters from a to p`);
  return id;
}

function checkSite(host: string): string {
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host)) throw wrong(`"${host}" is no name of a host, as in www.example.com`);
  return host.toLowerCase();
}

function checkCommand(name: string | undefined): Command | 'help' {
  if (name === undefined) return 'help';
  const command = COMMANDS.find((known) => known === name);
  if (command === undefined) throw wrong(`there is no command "${name}"`);
  return command;
}

/** Options of single actions of `relay`. */
const RELAY_OPTIONS: Readonly<Record<keyof typeof ACTIONS.relay, readonly string[]>> = { add: [], status: [], terminate: [], remove: ['far', 'system'], setup: ['address', 'program', 'system'] };

function checkRelayOrder([name, ...words]: readonly string[], values: ReturnType<typeof parse>['values']): RelayOrder {
  const known = actionsOf('relay').find(([action]) => action === name);
  if (known === undefined) throw wrong(`"relay" is followed by ${Object.keys(ACTIONS.relay).join(', ')}, not by "${name ?? ''}"`);
  const [action, { takes }] = known;
  if (action !== 'terminate' && words.length !== takes.length) throw wrong(`"relay ${action}" takes ${takes.join(' ') || 'no further words'}, but got "${words.join(' ')}"`);
  const stray = Object.values(RELAY_OPTIONS).flat().find((option) => Object.hasOwn(values, option) && !RELAY_OPTIONS[action as keyof typeof RELAY_OPTIONS].includes(option));
  if (stray !== undefined) throw wrong(`--${stray} does not belong to "relay ${action}"`);
  const [first = '', fingerprint = ''] = words;
  switch (action as keyof typeof ACTIONS.relay) {
    case 'status':
      return { action: 'status' };
    case 'remove':
      if (values.system === true && values.far === undefined) throw wrong('--system is for the machine of --far');
      return { action: 'remove', far: values.far === undefined ? null : parseSshTarget(values.far) };
    case 'setup':
      return { action: 'setup', target: parseSshTarget(first), address: values.address === undefined ? null : checkAuthority(values.address), program: values.program ?? null };
    case 'terminate':
      return checkTerminateOrder(words);
    case 'add':
      return { action: 'add', ...checkAuthority(first), fingerprint: checkFingerprint(fingerprint) };
  }
}

function checkAuthority(authority: string): Destination {
  const destination = parseAuthority(authority);
  if (destination === null) throw wrong(`"${authority}" is no HOST:PORT, as in relay.example.com:8443`);
  return destination;
}

function checkFingerprint(fingerprint: string): string {
  if (!FINGERPRINT.test(fingerprint)) throw wrong(`"${fingerprint}" is no fingerprint, which has 43 letters, digits, "-" and "_"; the relay says its own when it starts`);
  return fingerprint;
}

function checkTerminateOrder([change, host, ...others]: readonly string[]): TerminateOrder {
  if (others.length === 0 && change === 'list' && host === undefined) return { action: 'terminate', change };
  if (others.length > 0 || (change !== 'add' && change !== 'remove') || host === undefined) throw wrong('"relay terminate" takes "add HOST", "remove HOST" or "list"');
  return { action: 'terminate', change, host: host === 'all' ? null : checkSite(host) };
}

function checkBrowser(name: string): BrowserName {
  const browser = BROWSER_NAMES.find((known) => known === name);
  if (browser !== undefined) return browser;
  throw wrong(`there is no browser "${name}"; known are ${BROWSER_NAMES.join(', ')}`);
}

function wrong(what: string, cause?: unknown): FirstscreenError {
  return new FirstscreenError('E_OPTION', `The command line is wrong: ${what}.`, 'See "firstscreen-helper --help".', { cause });
}
