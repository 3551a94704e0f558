import { create } from '../ui/elements.ts';
import type { Row } from '../ui/keyedList.ts';
import { t } from '../ui/texts.ts';
import type { Command } from './commands.ts';

/** How long a button says that it has copied. */
const COPIED_MS = 2_000;

let rows = 0;

/** A command with a button that copies it. @param said what is to be told of it */
export function commandRow({ label, text }: Command, said: (text: string) => void): Row<Command> {
  const id = `command-${++rows}`;
  // written from left to right in every language
  const code = create('code', { id, textContent: text, dir: 'ltr' });
  const button = create('button', { type: 'button', textContent: t('welcomeCopy') });
  button.setAttribute('aria-describedby', id);
  button.addEventListener('click', () => void copy().then(said));
  return {
    element: create('li', {}, ...(label === '' ? [] : [create('p', { textContent: label })]), create('div', { className: 'command' }, code, button)),
    // its command is its key
    show: () => undefined,
    focused: button,
  };

  async function copy(): Promise<string> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      getSelection()?.selectAllChildren(code);
      return t('welcomeCopyFailed');
    }
    button.textContent = t('welcomeCopied');
    setTimeout(() => (button.textContent = t('welcomeCopy')), COPIED_MS);
    return t('welcomeCopied');
  }
}
