import { literal, number, safeParse, strictObject } from 'valibot';

const QuestionSchema = strictObject({ type: literal('status'), tabId: number() });

/** What the popup shows of a tab. */
export interface TabStatus {
  readonly held: number;
  readonly released: number;
  readonly inView: number;
  readonly helper: 'connecting' | 'connected' | 'absent';
}

/** Answers the popup; content scripts and other extensions get no answer. */
export function answerPopup(statusOf: (tabId: number) => TabStatus): void {
  chrome.runtime.onMessage.addListener((input: unknown, sender, respond: (status: TabStatus) => void) => {
    const question = safeParse(QuestionSchema, input);
    if (!question.success || sender.id !== chrome.runtime.id || sender.tab !== undefined) return;
    respond(statusOf(question.output.tabId));
  });
}
