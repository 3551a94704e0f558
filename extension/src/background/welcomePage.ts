import { is, literal, strictObject, type GenericSchema } from 'valibot';
import type { LookQuestion } from '../messages/welcome.ts';
import { isOwnPage } from './popups.ts';

const QuestionSchema: GenericSchema<unknown, LookQuestion> = strictObject({ type: literal('look') });

/** Answers the extension's own pages; for content scripts and other extensions nobody looks. @param look settles when it is known what there is */
export function answerWelcomePage(look: () => Promise<void>): void {
  chrome.runtime.onMessage.addListener((input: unknown, sender, respond: (answer: null) => void) => {
    if (!is(QuestionSchema, input) || !isOwnPage(sender)) return undefined;
    void look().then(() => respond(null));
    // the answer comes later
    return true;
  });
}
