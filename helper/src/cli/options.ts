import { parseArgs } from 'node:util';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { isChromiumExtensionId } from '../../../shared/src/protocol/identity.ts';
import { BROWSERS, BROWSER_NAMES, type BrowserName } from './browsers.ts';
import { COMMANDS, OPTIONS, commandsOf, type Command } from './commandTable.ts';
import type { Scope } from './layout.ts';

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
  readonly dryRun: boolean;
  /** Do not ask. */
  readonly yes: boolean;
  readonly json: boolean;
}

/** @throws FirstscreenError E_OPTION */
export function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  const { policy = false, system = policy, yes = false, json = false, site, 'dry-run': dryRun = false, 'user-data-dir': userDataDir = null } = values;
  const command = values.help === true ? 'help' : values.version === true ? 'version' : checkCommand(positionals);
  const stray = Object.keys(values).find((name) => command !== 'help' && command !== 'version' && commandsOf(name)?.includes(command) === false);
  if (stray !== undefined) throw wrong(`--${stray} belongs to ${commandsOf(stray)?.join(', ') ?? ''}`);
  const browsers = (values.browser ?? []).flatMap((name) => (name === 'all' ? BROWSER_NAMES : [checkBrowser(name)]));
  if (system && userDataDir !== null) throw wrong('--system and --user-data-dir exclude each other');
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
    dryRun,
    yes,
    json,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
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

function checkCommand([name, ...rest]: readonly string[]): Command | 'help' {
  if (name === undefined) return 'help';
  const command = COMMANDS.find((known) => known === name);
  if (command === undefined) throw wrong(`there is no command "${name}"`);
  if (rest.length > 0) throw wrong(`"${command}" takes no further words, but got "${rest.join(' ')}"`);
  return command;
}

function checkBrowser(name: string): BrowserName {
  const browser = BROWSER_NAMES.find((known) => known === name);
  if (browser !== undefined) return browser;
  throw wrong(`there is no browser "${name}"; known are ${BROWSER_NAMES.join(', ')}`);
}

function wrong(what: string, cause?: unknown): FirstscreenError {
  return new FirstscreenError('E_OPTION', `The command line is wrong: ${what}.`, 'See "firstscreen-helper --help".', { cause });
}
