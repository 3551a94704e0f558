import { safeParse, type GenericSchema } from 'valibot';
import { logFailure } from './log.ts';

/** Whether a message comes from a page of the extension itself, and not from a content script or another extension. */
export function isOwnPage(sender: chrome.runtime.MessageSender | undefined): boolean {
  return sender?.id === chrome.runtime.id && sender.url?.startsWith(chrome.runtime.getURL('')) === true;
}

/** Answers questions that fit a schema, of the extension's own pages, with null where that fails; content scripts and other extensions get no answer. */
export function answerOwnPages<Question>(schema: GenericSchema<unknown, Question>, answerTo: (question: Question) => Promise<unknown>): void {
  chrome.runtime.onMessage.addListener((input: unknown, sender, respond: (answer: unknown) => void) => {
    const question = safeParse(schema, input);
    if (!question.success || !isOwnPage(sender)) return undefined;
    // who gets no answer waits for as long as this script lives
    void answerTo(question.output).catch(logFailure('pages', "a question of the extension's own pages was not answered")).then(respond);
    // the answer comes later
    return true;
  });
}
