import { literal, strictObject, type GenericSchema } from 'valibot';
import type { LookQuestion } from '../messages/welcome.ts';
import { answerOwnPages } from './ownPages.ts';

const QuestionSchema: GenericSchema<unknown, LookQuestion> = strictObject({ type: literal('look') });

/** @param look settles when it is known what there is */
export function answerWelcomePage(look: () => Promise<void>): void {
  answerOwnPages(QuestionSchema, () => look().then(() => null));
}
