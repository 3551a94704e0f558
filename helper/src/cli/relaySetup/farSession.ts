import { randomBytes } from 'node:crypto';
import { FirstscreenError } from '../../../../shared/src/errors.ts';
import type { Machine } from '../machine.ts';
import type { Program } from '../program.ts';
import { parseFacts, type FarFacts } from './farMachine.ts';
import { PROBE_SCRIPT } from './farScripts.ts';
import { FarShell } from './farShell.ts';
import { SshConnection } from './sshConnection.ts';
import { sshTargetText, type SshTarget } from './sshTarget.ts';

export interface SetupSurroundings {
  readonly machine: Machine;
  /** What runs now. */
  readonly program: Program;
  /** Of this machine, for the relay's list. */
  readonly hostName: string;
  /** The user has allowed what needs root there (`--system`). */
  readonly wantsSystem: boolean;
  readonly hasTerminal: boolean;
  readonly dryRun: boolean;
  readonly say: (text: string) => void;
}

/** Speaks with a machine by one shared connection, which ends with this. */
export async function withSsh<T>(target: SshTarget, { machine, say }: Pick<SetupSurroundings, 'machine' | 'say'>, use: (ssh: SshConnection) => Promise<T>): Promise<T> {
  const ssh = new SshConnection(target, { env: machine.env, showConnecting: (text) => say(text.trimEnd()) });
  // Ctrl-C ends ssh: its step fails, and what was done is taken back
  const goOn = (): void => undefined;
  process.on('SIGINT', goOn);
  try {
    return await use(ssh);
  } finally {
    process.off('SIGINT', goOn);
    await ssh.close();
  }
}

/** @throws FirstscreenError E_SSH, E_RELAY_SETUP */
export async function factsOf(ssh: SshConnection, target: SshTarget, say: (text: string) => void): Promise<FarFacts> {
  say(`ask ${sshTargetText(target)} what it is ...`);
  try {
    return parseFacts(await new FarShell(ssh, newStage(), 'none').script(PROBE_SCRIPT).run());
  } catch (error) {
    if (error instanceof FirstscreenError) throw error;
    // a login that lets no commands in
    return parseFacts('');
  }
}

/** In the account's home: of a name that nobody can make before. */
export function newStage(): string {
  return `.firstscreen-relay-${randomBytes(6).toString('hex')}`;
}
