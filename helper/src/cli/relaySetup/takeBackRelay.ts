import { FirstscreenError } from '../../../../shared/src/errors.ts';
import { relayClientName } from '../relay.ts';
import { methodFor, printable } from './farMachine.ts';
import { LEAVE_SCRIPT, REMOVE_SCRIPT, STAGE_SCRIPT, UNSTAGE_SCRIPT } from './farScripts.ts';
import { factsOf, newStage, withSsh, type SetupSurroundings } from './farSession.ts';
import { FarShell } from './farShell.ts';
import { FarFailure } from './sshConnection.ts';
import { sshTargetText, type SshTarget } from './sshTarget.ts';

/** What was done there. */
export type TakenBack = 'nothing' | 'revoked' | 'removed';

/**
 * Takes this helper off a relay's list, by ssh; where nobody else is on it, the relay goes as `relay setup` has brought it, and that of a package is
 * stopped.
 *
 * @throws FirstscreenError E_SSH, E_RELAY_MACHINE, E_RELAY_SETUP, E_NOT_ROOT
 */
export async function takeBackRelay(target: SshTarget, surroundings: Omit<SetupSurroundings, 'program'>): Promise<TakenBack> {
  const { say, dryRun, hostName } = surroundings;
  return withSsh(target, surroundings, async (ssh) => {
    const facts = await factsOf(ssh, target, say);
    if (facts.relay === undefined) return 'nothing';
    const { scope, rights } = methodFor(facts, surroundings);
    const shell = new FarShell(ssh, newStage(), rights);
    const commands = [shell.script(STAGE_SCRIPT, shell.stage), shell.rootScript(LEAVE_SCRIPT, scope, relayClientName(hostName)), shell.rootScript(REMOVE_SCRIPT, scope), shell.script(UNSTAGE_SCRIPT, shell.stage)] as const;
    const [stage, leave, remove, unstage] = commands;
    if (dryRun) {
      for (const { line, script } of commands) say(`${ssh.text(line)}\n${indented(script ?? '')}`);
      return 'nothing';
    }
    try {
      await stage.run();
      say('let this helper in no more ...');
      const hasOthers = /^others=yes\r?$/m.test(await leave.run());
      if (hasOthers) return 'revoked';
      say('stop and remove the relay ...');
      await remove.run();
      return 'removed';
    } catch (error) {
      if (!(error instanceof FarFailure)) throw error;
      throw new FirstscreenError('E_RELAY_SETUP', `Could not take the relay back at ${sshTargetText(target)}: ${printable(error.message)}.`, 'Mend what it says, then run the command again.', { cause: error });
    } finally {
      await unstage.run().catch(() => undefined);
    }
  });
}

export function indented(text: string): string {
  return text.trim().split('\n').map((line) => `    | ${line}`).join('\n');
}
