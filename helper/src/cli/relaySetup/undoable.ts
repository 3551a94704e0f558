import { FirstscreenError } from '../../../../shared/src/errors.ts';
import { printable } from './farMachine.ts';
import type { FarCommand } from './farShell.ts';
import { FarFailure } from './sshConnection.ts';

/** One step of a set-up. */
export interface UndoableStep {
  /** What is done, as in "could not ...". */
  readonly what: string;
  /** For `--dry-run`, with words in capitals for what is not known yet; null for what happens on this machine. */
  readonly command: Pick<FarCommand, 'line' | 'script'> | null;
  /** Its promise is waited for. */
  run(): unknown;
  /** Takes it back, also where it has failed on its way or was never begun, with its name for a person; absent where nothing is left of it. */
  readonly undo?: { readonly what: string; run(): unknown };
}

/**
 * Carries steps out, and says each; at one that fails takes back that one and those before it, the last one first.
 *
 * @param remedy what to do where taking back fails, too
 * @throws FirstscreenError of the step that failed; E_RELAY_SETUP for what the far machine said
 */
export async function carryOutOrUndo(steps: readonly UndoableStep[], say: (text: string) => void, remedy: string): Promise<void> {
  const begun: UndoableStep[] = [];
  for (const step of steps) {
    say(`${step.what} ...`);
    begun.push(step);
    try {
      await step.run();
    } catch (error) {
      const left = await takeBack(begun, say);
      throw failureOf(step, error, left === '' ? null : `Something may be left (could not ${left}). ${remedy}`);
    }
  }
}

/** @returns what could not be taken back */
async function takeBack(begun: readonly UndoableStep[], say: (text: string) => void): Promise<string> {
  const left: string[] = [];
  for (const { undo } of begun.toReversed()) {
    if (undo === undefined) continue;
    say(`taking back: ${undo.what} ...`);
    try {
      await undo.run();
    } catch {
      left.push(undo.what);
    }
  }
  return left.join(', ');
}

function failureOf({ what }: UndoableStep, error: unknown, left: string | null): FirstscreenError {
  if (error instanceof FirstscreenError) return new FirstscreenError(error.code, `Could not ${what}: ${error.message}`, left === null ? error.next : `${error.next} ${left}`, { cause: error });
  if (!(error instanceof FarFailure)) throw error;
  return new FirstscreenError('E_RELAY_SETUP', `Could not ${what}: ${printable(error.message)}.`, left ?? 'Nothing is left there. Mend what it says, then run the command again.', { cause: error });
}
