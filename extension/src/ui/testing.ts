import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** For tests: `chrome.i18n` of a browser in this language, with the texts that ship. */
export function shippedTexts(language: 'en' | 'de'): object {
  const messages = JSON.parse(readFileSync(join(import.meta.dirname, `../../_locales/${language}/messages.json`), 'utf8')) as Readonly<Record<string, { readonly message: string }>>;
  return {
    getMessage: (key: string, substitutions: readonly string[] = []) => (messages[key]?.message ?? '').replace(/\$(\d)/g, (_, place: string) => substitutions[Number(place) - 1] ?? ''),
    getUILanguage: () => language,
  };
}
