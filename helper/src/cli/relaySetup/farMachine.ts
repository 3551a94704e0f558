import * as v from 'valibot';
import { FirstscreenError } from '../../../../shared/src/errors.ts';
import type { RelayScope } from './relayUnits.ts';

/** Machines that an executable of the relay is made for, as Node names them. */
export type FarArchitecture = 'x64' | 'arm64';

/** A relay that is there already: of the Debian package, or of an earlier `relay setup`. */
export type FarRelay = 'package' | RelayScope;

const flag = v.pipe(v.picklist(['yes', 'no']), v.transform((text) => text === 'yes'));
const number = v.pipe(v.string(), v.regex(/^\d{1,10}$/), v.transform(Number));

const FactsSchema = v.object({
  kernel: v.string(),
  machine: v.string(),
  uid: number,
  systemd: flag,
  gzip: flag,
  tar: flag,
  perl: flag,
  podman: flag,
  docker: flag,
  sudo: flag,
  /** Without a password. */
  freeSudo: flag,
  /** The kernel offers it to everybody. */
  bbr: flag,
  relay: v.optional(v.picklist(['package', 'system', 'user'])),
  /** Of the program of a relay that is there; empty where it does not run. */
  release: v.optional(v.string()),
  /** Where a relay that is there listens. */
  port: v.optional(v.union([number, v.pipe(v.literal(''), v.transform(() => null))])),
});

/** What PROBE_SCRIPT has found. */
export type FarFacts = v.InferOutput<typeof FactsSchema>;

/** @throws FirstscreenError E_RELAY_SETUP for what the script does not print, as where no POSIX shell answers */
export function parseFacts(output: string): FarFacts {
  const pairs = output.split('\n').flatMap((line) => {
    const at = line.indexOf('=');
    return at < 1 ? [] : [[line.slice(0, at), line.slice(at + 1).trimEnd()] as const];
  });
  const { success, output: facts } = v.safeParse(FactsSchema, Object.fromEntries(pairs));
  if (success) return facts;
  throw new FirstscreenError('E_RELAY_SETUP', 'What answers by ssh does not say what it is: it may have no POSIX shell, or let only certain commands in.', 'Use an account with a shell (sh), or set the relay up by hand (docs/relay.md).');
}

const ARCHITECTURES: Readonly<Record<string, FarArchitecture>> = { x86_64: 'x64', amd64: 'x64', aarch64: 'arm64', arm64: 'arm64' };

/** @throws FirstscreenError E_RELAY_MACHINE for machines that no relay runs on */
export function architectureOf({ kernel, machine }: FarFacts): FarArchitecture {
  const architecture = ARCHITECTURES[machine];
  if (kernel === 'Linux' && architecture !== undefined) return architecture;
  throw new FirstscreenError('E_RELAY_MACHINE', `That machine runs ${printable(kernel)} on ${printable(machine)}, and there is no relay for it.`, 'Use Linux on x86-64 or on 64-bit ARM.');
}

/** Of the header of an executable (ELF, e_machine); null for what is none of these. @param head its first 20 bytes */
export function elfArchitecture(head: Uint8Array): FarArchitecture | null {
  const isElf = head.length >= 20 && head[0] === 0x7f && head[1] === 0x45 && head[2] === 0x4c && head[3] === 0x46 && head[4] === 2 && head[5] === 1;
  if (!isElf) return null;
  const machine = (head[18] ?? 0) + 256 * (head[19] ?? 0);
  return machine === 62 ? 'x64' : machine === 183 ? 'arm64' : null;
}

/** How things are done there. */
export interface FarMethod {
  /** A relay that is there is joined; null: one is installed. */
  readonly joins: FarRelay | null;
  /** Whose units. */
  readonly scope: FarRelay;
  /** How root's part is done: not at all, as this user (who is root), by sudo, or by a sudo that asks for a password. */
  readonly rights: 'none' | 'root' | 'sudo' | 'asking sudo';
}

/**
 * @param wantsSystem the user has allowed what needs root there
 * @param hasTerminal somebody can type a password
 * @throws FirstscreenError E_RELAY_MACHINE, E_NOT_ROOT
 */
export function methodFor(facts: FarFacts, { wantsSystem, hasTerminal }: { readonly wantsSystem: boolean; readonly hasTerminal: boolean }): FarMethod {
  const joins = facts.relay ?? null;
  if (!facts.systemd) {
    const engine = facts.podman ? 'podman' : facts.docker ? 'docker' : null;
    const next = engine === null ? 'Install podman or docker there, and use the container' : `Use the container with ${engine}`;
    throw new FirstscreenError('E_RELAY_MACHINE', 'That machine does not run systemd, by which the relay is started.', `${next} (docs/relay.md, "In a container"), then "firstscreen-helper relay add".`);
  }
  const scope = joins ?? (facts.uid === 0 || wantsSystem ? 'system' : 'user');
  if (scope === 'user') return { joins, scope, rights: 'none' };
  if (facts.uid === 0) return { joins, scope, rights: 'root' };
  if (!wantsSystem) throw new FirstscreenError('E_NOT_ROOT', 'There is a relay for all users of that machine, and to let this helper in takes the rights of root.', 'Run the command again with --system, which uses sudo there.');
  if (facts.freeSudo) return { joins, scope, rights: 'sudo' };
  if (facts.sudo && hasTerminal) return { joins, scope, rights: 'asking sudo' };
  throw new FirstscreenError('E_NOT_ROOT', facts.sudo ? 'sudo of that machine asks for a password, and there is no terminal to type it on.' : 'There is no sudo on that machine.', 'Run the command on a terminal, as root of that machine (ssh://root@…), or without --system.');
}

/** Whether a release comes before another one: as numbers, and no release at all before any. */
export function isOlderRelease(release: string, than: string): boolean {
  const numbers = (text: string): number[] => text.split('.').map((part) => Number.parseInt(part, 10) || 0);
  const [a, b] = [numbers(release), numbers(than)];
  const differs = [0, 1, 2].find((place) => (a[place] ?? 0) !== (b[place] ?? 0));
  return differs !== undefined && (a[differs] ?? 0) < (b[differs] ?? 0);
}

/** What the far machine says is shown to a person: nothing of it moves his cursor. */
export function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e\n]/g, '?').slice(0, MAX_SHOWN_CHARACTERS);
}

const MAX_SHOWN_CHARACTERS = 2_000;
