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
 * In which texts are written, and so numbers and dates, too: as the browser's language does, or where it has no texts,
 * as the English ones that stand in for them.
 */
export function language(): string {
  return isOfBrowser() ? chrome.i18n.getUILanguage() : t('language');
}

function isOfBrowser(): boolean {
  return new Intl.Locale(chrome.i18n.getUILanguage()).language === t('language');
}

/**
 * Writes the texts that a page's markup names: `data-text=KEY` is the content of an element, `data-text-ATTRIBUTE=KEY`
 * one of its attributes (`data-text-aria-label`). Sets the language and the direction of the document.
 */
export function fillTexts(page: Document): void {
  page.documentElement.lang = language();
  page.documentElement.dir = isOfBrowser() ? chrome.i18n.getMessage('@@bidi_dir') : 'ltr';
  for (const element of page.querySelectorAll<HTMLElement>('*')) {
    for (const { name, value } of [...element.attributes]) {
      if (name === 'data-text') element.textContent = t(value);
      else if (name.startsWith('data-text-')) element.setAttribute(name.slice('data-text-'.length), t(value));
    }
  }
}
