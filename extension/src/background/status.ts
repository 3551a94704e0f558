import { literal, number, safeParse, strictObject, type GenericSchema } from 'valibot';
import type { StatusQuestion, TabStatus } from '../messages/status.ts';

const StatusQuestionSchema: GenericSchema<unknown, StatusQuestion> = strictObject({ type: literal('status'), tabId: number() });

/** Answers the extension's own pages; content scripts and other extensions get no answer. */
export function answerPopup(statusOf: (tabId: number) => TabStatus): void {
  const ownOrigin = chrome.runtime.getURL('');
  chrome.runtime.onMessage.addListener((input: unknown, sender, respond: (status: TabStatus) => void) => {
    const question = safeParse(StatusQuestionSchema, input);
    if (!question.success || sender.id !== chrome.runtime.id || sender.url?.startsWith(ownOrigin) !== true) return;
    respond(statusOf(question.output.tabId));
  });
}
