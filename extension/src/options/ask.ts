import type { OptionsAnswers, OptionsQuestion } from '../messages/optionsPage.ts';

/** Null where nobody answers: the background script is starting, or the extension was just updated. */
export async function ask<T extends OptionsQuestion['type']>(question: Extract<OptionsQuestion, { type: T }>): Promise<OptionsAnswers[T] | null> {
  return chrome.runtime.sendMessage<OptionsQuestion, OptionsAnswers[T]>(question).catch(() => null);
}
