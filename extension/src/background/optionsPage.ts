import { literal, nullable, strictObject, variant, type GenericSchema } from 'valibot';
import { HostSchema } from '../../../shared/src/protocol/native.ts';
import type { BackgroundFacts, OptionsAnswers, OptionsQuestion } from '../messages/optionsPage.ts';
import type { HelperLink } from './helperLink.ts';
import { answerOwnPages } from './ownPages.ts';

const QuestionSchema: GenericSchema<unknown, OptionsQuestion> = variant('type', [
  strictObject({ type: literal('remembered') }),
  strictObject({ type: literal('forget'), site: nullable(HostSchema) }),
  strictObject({ type: literal('facts') }),
]);

/** What the helper remembers is read and erased there alone; asked when a person asks. */
const MEMORY_LIST = 'memoryList';

export function answerOptionsPage(helper: Pick<HelperLink, 'can' | 'ask'>, facts: () => BackgroundFacts): void {
  answerOwnPages(QuestionSchema, (question) => answerTo(question, helper, facts));
}

async function answerTo(question: OptionsQuestion, helper: Pick<HelperLink, 'can' | 'ask'>, facts: () => BackgroundFacts): Promise<OptionsAnswers[OptionsQuestion['type']]> {
  if (question.type === 'facts') return facts();
  if (!helper.can(MEMORY_LIST)) return null;
  if (question.type === 'remembered') return helper.ask('remembered', {});
  return (await helper.ask('forget', { site: question.site }))?.pages ?? null;
}
