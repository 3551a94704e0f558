import { statSync } from 'node:fs';
import { FirstscreenError } from '../../../../shared/src/errors.ts';
import { authorityOf, parseAuthority, type Destination } from '../../../../shared/src/names/authority.ts';
import { FINGERPRINT } from '../../../../shared/src/relay/wire.ts';
import { HELPER_VERSION } from '../../version.ts';
import { architectureOf, isOlderRelease, methodFor, printable, type FarFacts, type FarMethod } from './farMachine.ts';
import { ALLOW_SCRIPT, END_UPDATE_SCRIPT, FINGERPRINT_SCRIPT, INIT_SCRIPT, INSTALL_SCRIPT, REMOVE_SCRIPT, REVOKE_SCRIPT, STAGED_ALLOW_SCRIPT, STAGE_SCRIPT, START_PACKAGE_SCRIPT, TAKE_BACK_UPDATE_SCRIPT, UNSTAGE_SCRIPT, UPDATE_SCRIPT, VERSION_SCRIPT } from './farScripts.ts';
import { factsOf, newStage, withSsh, type SetupSurroundings } from './farSession.ts';
import { FarShell, type FarCommand, type SentFile } from './farShell.ts';
import { OwnSide } from './ownSide.ts';
import { relayLauncherText } from './relayLauncher.ts';
import { findRelayProgram, relayArchiveName, relayDirectory, type RelayProgram } from './relayProgram.ts';
import { DEFAULT_RELAY_PORT, relayUnitFiles } from './relayUnits.ts';
import type { SetupOrder } from './setupOrder.ts';
import { sshTargetText } from './sshTarget.ts';
import { carryOutOrUndo, type UndoableStep } from './undoable.ts';

const BYTES_PER_MB = 1_000_000;
/** Lower ones are root's. */
const FIRST_FREE_PORT = 1024;

export interface SetupReport {
  readonly relay: string;
  readonly scope: FarMethod['scope'];
  readonly dryRun: boolean;
  readonly steps: readonly { readonly what: string; readonly command: string | null; readonly script: string | null }[];
  /** What works and could be better, with the next step. */
  readonly notes: readonly string[];
}

/** Everything that is decided before anything is changed. */
interface Decided {
  readonly facts: FarFacts;
  readonly method: FarMethod;
  /** What is sent; null where the relay that is there stays. */
  readonly program: RelayProgram | null;
  readonly shell: FarShell;
  readonly address: Destination;
  readonly own: OwnSide;
}

/**
 * Sets a relay up on a machine of the user's by his own ssh, and adds it; what was done is taken back where it can not go on. A relay that is
 * there already is told of this helper.
 *
 * @throws FirstscreenError E_SSH, E_RELAY_MACHINE, E_RELAY_PROGRAM, E_RELAY_SETUP, E_NOT_ROOT, and as probeRelay when it can not be reached in the end
 */
export async function setUpRelay(order: SetupOrder, surroundings: SetupSurroundings): Promise<SetupReport> {
  const { dryRun, say, machine, hostName } = surroundings;
  return withSsh(order.target, surroundings, async (ssh) => {
    const host = order.address?.host ?? bracketed(await ssh.hostName());
    const facts = await factsOf(ssh, order.target, say);
    const method = methodFor(facts, surroundings);
    const address = { host, port: order.address?.port ?? facts.port ?? DEFAULT_RELAY_PORT };
    refuseAddress(address, method);
    const shell = new FarShell(ssh, newStage(), method.rights);
    const program = programFor(order, facts, method, surroundings);
    const steps = stepsFor({ facts, method, program, shell, address, own: new OwnSide(address, machine, hostName) });
    if (!dryRun) await carryOutOrUndo(steps, say, `To remove it: firstscreen-helper relay remove --far ${sshTargetText(order.target)}`);
    return {
      relay: authorityOf(address),
      scope: method.scope,
      dryRun,
      steps: steps.map(({ what, command }) => ({ what, command: command === null ? null : ssh.text(command.line), script: command?.script ?? null })),
      notes: notesOf(facts, method, program),
    };
  });
}

function refuseAddress(address: Destination, { joins, scope }: FarMethod): void {
  const wrong = (why: string, next: string): FirstscreenError => new FirstscreenError('E_OPTION', `The command line is wrong: ${why}.`, next);
  if (parseAuthority(authorityOf(address)) === null) throw wrong(`ssh goes to "${printable(address.host)}", which is no host that a relay has`, 'Say where helpers find it: --address HOST:PORT.');
  if (joins === null && scope === 'user' && address.port < FIRST_FREE_PORT) throw wrong(`port ${address.port} is root's there`, 'Add --system, or take a port from 1024 on.');
}

/** @throws FirstscreenError E_RELAY_MACHINE, E_RELAY_PROGRAM */
function programFor({ program }: SetupOrder, facts: FarFacts, method: FarMethod, surroundings: SetupSurroundings): RelayProgram | null {
  if (method.joins !== null && !isOutdated(facts, method)) return null;
  if (!facts.gzip || !facts.tar) throw new FirstscreenError('E_RELAY_MACHINE', 'That machine has no gzip and tar, by which the program is sent.', 'Install gzip and tar there, then run the command again.');
  return findRelayProgram(architectureOf(facts), program, surroundings.program, surroundings.machine);
}

function stepsFor(decided: Decided): UndoableStep[] {
  const { method, shell, own } = decided;
  const remove = shell.script(UNSTAGE_SCRIPT, shell.stage);
  const make = shell.script(STAGE_SCRIPT, shell.stage);
  const endUpdate = shell.rootScript(END_UPDATE_SCRIPT, method.scope);
  return [
    { what: `make the directory ${shell.stage} there, for the time of the set-up`, command: make, run: () => make.run(), undo: { what: 'remove that directory', run: () => remove.run() } },
    ...(method.joins === null ? stepsToInstall(decided) : stepsToJoin(decided)),
    { what: 'write the address and the key of the relay on this machine', command: null, run: () => own.write(), undo: { what: 'write what was there before', run: () => own.restore() } },
    { what: 'see whether the relay answers', command: null, run: () => own.check() },
    ...(method.joins !== null && decided.program !== null ? [{ what: 'remove the program of before', command: endUpdate, run: () => endUpdate.run() }] : []),
    { what: 'remove that directory', command: remove, run: () => remove.run() },
  ];
}

/** The program for that machine, with what starts it, tried before it takes anybody's place. */
function stepsToSend({ facts, program, shell }: Decided, units: readonly SentFile[]): UndoableStep[] {
  if (program === null) return [];
  const send = (command: FarCommand, what: string): UndoableStep => ({ what, command, run: () => command.run() });
  const ofProgram = program.isArchive
    ? [send(shell.unpacking(program), `send the program with its libraries (${megabytes(program.path)} MB)`)]
    : [
        send(shell.sending({ name: 'firstscreen-relay', path: program.path, isExecutable: true }), `send the program (${megabytes(program.path)} MB, compressed on the way)`),
        ...(program.libraries.length === 0 ? [] : [send(shell.unpacking({ directory: relayDirectory(program.path), names: program.libraries }), 'send the libraries beside it')]),
      ];
  const files: SentFile[] = [...units, ...(facts.perl ? [{ name: 'launch', text: relayLauncherText(), isExecutable: true }] : [])];
  const version = shell.script(VERSION_SCRIPT, shell.stage);
  return [
    ...ofProgram,
    ...files.map((file) => send(shell.sending(file), `send ${file.name}`)),
    { what: 'see that the program runs there', command: version, run: async () => refuseOtherRelease(valueOf('version', await version.run())) },
  ];
}

function megabytes(path: string): number {
  return Math.round(statSync(path).size / BYTES_PER_MB);
}

/** A relay that is not there yet: made ready as the account, then put in its place and started at once. */
function stepsToInstall(decided: Decided): UndoableStep[] {
  const { facts, method, shell, address, own } = decided;
  const scope = method.scope === 'user' ? 'user' : 'system';
  const library = scope === 'user' ? '%h/.local/lib/firstscreen-relay' : '/usr/local/lib/firstscreen-relay';
  const units = relayUnitFiles({
    scope,
    executable: `${library}/firstscreen-relay`,
    launcher: facts.perl ? `${library}/launch` : null,
    directory: scope === 'user' ? `${library}/state` : '/var/lib/firstscreen-relay',
    port: address.port,
    makesKey: false,
  });
  const init = shell.script(INIT_SCRIPT, shell.stage, `[::]:${address.port}`);
  const install = shell.rootScript(INSTALL_SCRIPT, scope, shell.stage);
  const allow = (fingerprint: string) => shell.script(STAGED_ALLOW_SCRIPT, shell.stage, own.name, fingerprint);
  return [
    ...stepsToSend(decided, units.map(({ name, text }) => ({ name, text, isExecutable: false }))),
    { what: 'make the key of the relay', command: init, run: async () => own.learn(fingerprintIn(await init.run())) },
    { what: 'let this helper in', command: allow('FINGERPRINT'), run: async () => allow(await own.fingerprint()).run() },
    {
      what: `install and start it ${scope === 'system' ? '(for the machine, under an account of its own)' : '(for that user, also while he is not logged in)'}`,
      command: install,
      run: () => install.run(),
      undo: { what: 'stop and remove the relay', run: () => shell.rootScript(REMOVE_SCRIPT, scope, shell.stage).run() },
    },
  ];
}

/** A relay that is there: told of this helper, and brought to this release where it is older; a package is its package manager's to update. */
function stepsToJoin(decided: Decided): UndoableStep[] {
  const { facts, method: { scope }, shell, own } = decided;
  const allow = (fingerprint: string) => shell.rootScript(ALLOW_SCRIPT, scope, own.name, fingerprint, shell.stage);
  const [start, read, update] = [shell.rootScript(START_PACKAGE_SCRIPT, shell.stage), shell.script(FINGERPRINT_SCRIPT, scope), shell.rootScript(UPDATE_SCRIPT, scope, shell.stage)];
  const startPackage: UndoableStep = {
    what: 'start the relay of the package there',
    command: start,
    run: async () => own.learn(fingerprintIn(await start.run())),
    undo: { what: 'stop it', run: () => shell.rootScript(REMOVE_SCRIPT, scope, shell.stage).run() },
  };
  const bring: UndoableStep = {
    what: `bring the relay there from ${printable(facts.release ?? '')} to ${HELPER_VERSION}`,
    command: update,
    run: () => update.run(),
    undo: { what: 'put its program back', run: () => shell.rootScript(TAKE_BACK_UPDATE_SCRIPT, scope).run() },
  };
  return [
    ...(decided.program === null ? [] : [...stepsToSend(decided, []), bring]),
    scope === 'package' ? startPackage : { what: 'read the fingerprint of the relay that is there', command: read, run: async () => own.learn(fingerprintIn(await read.run())) },
    {
      what: 'let this helper in',
      command: allow('FINGERPRINT'),
      run: async () => allow(await own.fingerprint()).run(),
      undo: { what: 'let it in no more', run: async () => shell.rootScript(REVOKE_SCRIPT, scope, own.name, await own.fingerprint(), shell.stage).run() },
    },
  ];
}

function isOutdated({ release = '' }: FarFacts, { joins }: FarMethod): boolean {
  return joins !== null && joins !== 'package' && isOlderRelease(release, HELPER_VERSION);
}

/** Of a line NAME=VALUE of a script's output. */
function valueOf(name: string, output: string): string | null {
  return output.split('\n').map((line) => line.trimEnd()).findLast((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}

/** @throws FirstscreenError E_RELAY_SETUP */
function fingerprintIn(output: string): string {
  const fingerprint = valueOf('fingerprint', output) ?? '';
  if (FINGERPRINT.test(fingerprint)) return fingerprint;
  throw new FirstscreenError('E_RELAY_SETUP', 'the relay there says no fingerprint.', 'See "firstscreen-relay status" on that machine.');
}

/** @throws FirstscreenError E_RELAY_PROGRAM */
function refuseOtherRelease(version: string | null): void {
  if (version === HELPER_VERSION) return;
  throw new FirstscreenError('E_RELAY_PROGRAM', `it is release "${printable(version ?? '')}", and this helper is ${HELPER_VERSION}.`, 'Take the program of the same release.');
}

function notesOf(facts: FarFacts, { joins, scope }: FarMethod, program: RelayProgram | null): string[] {
  const { bbr, perl } = facts;
  return [
    ...(program === null || program.isArchive || program.libraries.length > 0 ? [] : [`The program came without its libraries, without which pictures stay as they are. To have them coded anew run "relay remove --far", then "relay setup" with --program ${relayArchiveName(architectureOf(facts))}.`]),
    ...(bbr || scope !== 'user' ? [] : ['The kernel there does not offer BBR, without which loss slows the relay down. As root there: modprobe tcp_bbr; echo tcp_bbr > /etc/modules-load.d/tcp_bbr.conf; then start the relay anew: systemctl --user restart firstscreen-relay.socket']),
    ...(perl || joins !== null ? [] : ['There is no perl on that machine, so the relay holds more unsent than it should and what is urgent waits longer. Install perl there, then run "relay remove --far" and "relay setup" again.']),
  ];
}

/** As in a URL. */
function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
