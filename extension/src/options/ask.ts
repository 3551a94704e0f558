import type { OptionsAnswers, OptionsQuestion } from '../messages/optionsPage.ts';
import { askBackground } from '../ui/status.ts';

/** Null where nobody answers. */
export function ask<T extends OptionsQuestion['type']>(question: Extract<OptionsQuestion, { type: T }>): Promise<OptionsAnswers[T] | null> {
  return askBackground<OptionsAnswers[T]>(question);
}
