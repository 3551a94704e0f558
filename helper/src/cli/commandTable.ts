import { BROWSER_NAMES } from './browsers.ts';

/** What each command does, in a line: for `--help`, the manual page and the shells' completions. */
export const COMMAND_MEANINGS = {
  install: 'tell browsers where the helper is',
  uninstall: 'remove exactly what install made',
  status: 'what is installed, and where',
  doctor: 'check the installation, and say what to do',
  forget: 'erase what was learnt of the pages that you have visited',
  trust: 'make a certificate authority of your own that your browsers trust, so that the helper may look into encrypted connections',
  untrust: 'take it back: out of every browser, and off this machine',
  relay: 'have connections go through a relay of your own',
} as const satisfies Readonly<Record<string, string>>;

export type Command = keyof typeof COMMAND_MEANINGS;

export const COMMANDS = Object.keys(COMMAND_MEANINGS) as readonly Command[];

export interface ActionRow {
  /** Words behind it, all of them needed but those in brackets. */
  readonly takes: readonly string[];
  readonly meaning: string;
}

/** What stands behind the name of a command that does several things. */
export const ACTIONS = {
  relay: {
    setup: { takes: ['ssh://[USER@]HOST[:PORT]'], meaning: 'set a relay up on a machine of yours by ssh, and use it; says each step, and takes all back when one fails' },
    add: { takes: ['HOST:PORT', 'FINGERPRINT'], meaning: "use the relay there, whose key has this fingerprint; says this helper's own" },
    status: { takes: [], meaning: 'whether the relay answers, and how soon' },
    terminate: { takes: ['add|remove|list', '[HOST|all]'], meaning: 'have the relay make the requests of a host and all under it, which it sees then, or no longer; by default it makes none' },
    remove: { takes: [], meaning: 'go directly again; with --far the relay there lets this helper in no more, and goes with its last helper' },
  },
} as const satisfies Partial<Readonly<Record<Command, Readonly<Record<string, ActionRow>>>>>;

/** The actions of a command with their names; none for most. */
export function actionsOf(command: Command): readonly (readonly [name: string, row: ActionRow])[] {
  return command in ACTIONS ? Object.entries(ACTIONS[command as keyof typeof ACTIONS]) : [];
}

/** Every form that a command line may begin with, and what it does, as people read of them. */
export const COMMAND_ROWS: readonly (readonly [form: string, meaning: string])[] = Object.entries(COMMAND_MEANINGS).flatMap(([command, meaning]) => [
  [command, meaning] as const,
  ...actionsOf(command as Command).map(([name, row]) => [[command, name, ...row.takes].join(' '), row.meaning] as const),
]);

export interface OptionRow {
  /** Of node:util's parseArgs, which reads the table as it is. */
  readonly type: 'boolean' | 'string';
  readonly multiple?: true;
  readonly short?: string;
  /** What the help calls its value. */
  readonly value?: string;
  /** What a shell completes its value to. */
  readonly completesTo?: readonly string[] | 'directory';
  /** The commands that take it; all of them when absent. */
  readonly onlyFor?: readonly Command[];
  readonly meaning: string;
}

/** Every option, in the order in which people read of them. */
export const OPTIONS = {
  browser: {
    type: 'string', multiple: true, value: 'NAME', completesTo: [...BROWSER_NAMES, 'all'], onlyFor: ['install', 'uninstall'],
    meaning: `${BROWSER_NAMES.join(', ')}; all; may be repeated (default: those on this machine)`,
  },
  'user-data-dir': {
    type: 'string', value: 'DIR', completesTo: 'directory', onlyFor: ['install', 'uninstall'],
    meaning: 'the Chromium profile root DIR, as given to the browser (not for Firefox)',
  },
  'extension-id': {
    type: 'string', multiple: true, value: 'ID', onlyFor: ['install'],
    meaning: 'let an extension use the helper that was packed with a key of its own; may be repeated',
  },
  policy: {
    type: 'boolean', onlyFor: ['install', 'uninstall'],
    meaning: 'install: have Chromium, Chrome, Brave and Edge install the extension by policy, where it may hold requests; uninstall: take that back. For all users of this machine, as root (sudo); implies --system',
  },
  site: { type: 'string', value: 'HOST', onlyFor: ['forget'], meaning: 'forget this site alone, with its subdomains' },
  address: { type: 'string', value: 'HOST:PORT', onlyFor: ['relay'], meaning: 'relay setup: where helpers will find the relay (default: where ssh goes, port 4433)' },
  program: { type: 'string', value: 'FILE', onlyFor: ['relay'], meaning: "relay setup: the relay's archive, or executable, for that machine (default: the archive beside the helper)" },
  far: { type: 'string', value: 'SSH-URL', onlyFor: ['relay'], meaning: 'relay remove: take it back on the machine ssh://[USER@]HOST[:PORT] as well' },
  system: { type: 'boolean', onlyFor: ['install', 'uninstall', 'status', 'doctor', 'relay'], meaning: 'for all users of this machine (needs the rights to write there); relay setup: by sudo for the far machine, and not for one user of it' },
  yes: { type: 'boolean', onlyFor: ['trust', 'untrust'], meaning: 'trust and untrust without asking' },
  'dry-run': { type: 'boolean', meaning: 'say what would be done, do nothing' },
  json: { type: 'boolean', meaning: 'answer in JSON' },
  version: { type: 'boolean', short: 'V', meaning: "say the helper's version" },
  help: { type: 'boolean', short: 'h', meaning: 'say this' },
} as const satisfies Readonly<Record<string, OptionRow>>;

/** The rows with their names, as everything but the parser wants them. */
export const OPTION_ROWS: readonly (readonly [name: string, row: OptionRow])[] = Object.entries(OPTIONS);

/** The commands that take an option; null for every command. */
export function commandsOf(name: string): readonly Command[] | null {
  return OPTION_ROWS.find(([known]) => known === name)?.[1].onlyFor ?? null;
}
