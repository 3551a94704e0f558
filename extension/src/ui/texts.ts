/**
 * A text of the extension's own pages in the browser's language (`extension/_locales`); the key itself where there is
 * none, so that a page stays usable and the lack shows. `texts.test.ts` finds keys that are not there, and those that
 * nothing uses: call it with a literal.
 *
 * @param substitutions for `$1` to `$9`
 */
export function t(key: string, ...substitutions: readonly (string | number)[]): string {
  return chrome.i18n.getMessage(key, substitutions.map(String)) || key;
}

/**
 * Writes the texts that a page's markup names: `data-text=KEY` is the content of an element, `data-text-ATTRIBUTE=KEY`
 * one of its attributes (`data-text-aria-label`). Sets the language and the direction of the document.
 */
export function fillTexts(page: Document): void {
  page.documentElement.lang = chrome.i18n.getMessage('@@ui_locale').replaceAll('_', '-');
  page.documentElement.dir = chrome.i18n.getMessage('@@bidi_dir');
  for (const element of page.querySelectorAll<HTMLElement>('*')) {
    for (const { name, value } of [...element.attributes]) {
      if (name === 'data-text') element.textContent = t(value);
      else if (name.startsWith('data-text-')) element.setAttribute(name.slice('data-text-'.length), t(value));
    }
  }
}
