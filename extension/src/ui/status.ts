import type { OptionsQuestion } from '../messages/optionsPage.ts';
import { STATUS_PORT, type PopupQuestion, type TabStatus } from '../messages/status.ts';
import type { LookQuestion } from '../messages/welcome.ts';
import { steadyPort } from './steadyPort.ts';

type Question = PopupQuestion | OptionsQuestion | LookQuestion;

/** Gives each question up that the background script has not answered. */
const unanswered = new Set<() => void>();

/** Calls now, and whenever the background script may have another answer; one that has ended may have started anew. */
export function watchStatus(changed: () => void): void {
  steadyPort(STATUS_PORT, changed, changed, () => {
    for (const giveUp of unanswered) giveUp();
    unanswered.clear();
  });
}

/**
 * For pages that watch the status: who has left their port, or never took it, answers no question either, and the
 * browser does not always say so.
 *
 * @returns null where nobody answers: the background script has ended or did not start, or the extension was just updated
 */
export function askBackground<Answer>(question: Question): Promise<Answer | null> {
  return new Promise((resolve) => {
    const giveUp = (): void => resolve(null);
    unanswered.add(giveUp);
    void chrome.runtime.sendMessage<Question, Answer>(question).then(resolve, giveUp).finally(() => unanswered.delete(giveUp));
  });
}

export function statusOf(tabId: number): Promise<TabStatus | null> {
  return askBackground<TabStatus>({ type: 'status', tabId });
}

/** Loads the page of a tab anew, once without Firstscreen. @returns whether it is being loaded */
export async function loadWithout(tabId: number): Promise<boolean> {
  return (await askBackground<boolean>({ type: 'loadWithout', tabId })) === true;
}
