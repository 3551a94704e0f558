import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { fillTexts, language } from './texts.ts';

interface Message {
  readonly message: string;
  readonly description?: string;
}

const EXTENSION = join(import.meta.dirname, '../..');
const [FIRST, ...OTHERS] = ['en', 'de'];

/** Texts that are shown of six and more alone. */
const ALWAYS_MANY: ReadonlySet<string> = new Set(['errorSitesFull', 'popupGain', 'popupGainNothing']);

const read = (path: string): string => readFileSync(join(EXTENSION, path), 'utf8');
const messagesOf = (language: string): Readonly<Record<string, Message>> => JSON.parse(read(`_locales/${language}/messages.json`)) as Record<string, Message>;
const substitutionsOf = ({ message }: Message): string[] => (message.match(/\$\d/g) ?? []).sort();

/** In literals of scripts, in markup, and in the manifests. */
function usedKeys(): Set<string> {
  const sources = globSync(['src/**/*.{ts,html,json}'], { cwd: EXTENSION }).filter((path) => !path.endsWith('.test.ts')).map(read);
  return new Set(sources.flatMap((source) => [...source.matchAll(/\bt\('(\w+)'|data-text(?:-[a-z-]+)?="(\w+)"|__MSG_(\w+)__/g)].flatMap(([, ...keys]: readonly (string | undefined)[]) => keys.filter((key) => key !== undefined))));
}

describe('texts', () => {
  it('are there for all that is used, and none besides', () => {
    expect(Object.keys(messagesOf('en')).sort()).toEqual([...usedKeys()].sort());
  });

  it.each(OTHERS)('are complete in %s, with the same substitutions', (language) => {
    const [first, other] = [messagesOf(FIRST), messagesOf(language)];
    expect(Object.keys(other)).toEqual(Object.keys(first));
    for (const [key, message] of Object.entries(first)) expect([key, substitutionsOf(other[key] ?? { message: '' })]).toEqual([key, substitutionsOf(message)]);
  });

  it('count nothing in the plural that may be one', () => {
    const plurals = Object.entries(messagesOf('en')).filter(([key, { message }]) => !ALWAYS_MANY.has(key) && /\$\d [a-z]{3,}s\b/.test(message));
    expect(plurals).toEqual([]);
  });

  it.each([FIRST, ...OTHERS])('of %s say that they are', (each) => expect(messagesOf(each)['language']?.message).toBe(each));
});

describe('a page', () => {

  it.each([
    ['en-GB', 'en', 'ltr', 'en-GB', 'ltr'],
    ['de-AT', 'de', 'ltr', 'de-AT', 'ltr'],
    // the browser takes the English texts, whatever it is in itself
    ['fr', 'en', 'ltr', 'en', 'ltr'],
    ['ar-EG', 'en', 'rtl', 'en', 'ltr'],
    // had we texts in Hebrew
    ['he', 'he', 'rtl', 'he', 'rtl'],
  ])('of a browser in %s, with texts in %s, is written so, with its numbers', (ofBrowser, ofTexts, direction, lang, dir) => {
    const messages: Readonly<Record<string, string>> = { language: ofTexts, '@@ui_locale': ofBrowser.replace('-', '_'), '@@bidi_dir': direction };
    vi.stubGlobal('chrome', { i18n: { getMessage: (key: string) => messages[key] ?? '', getUILanguage: () => ofBrowser } });
    const page = { documentElement: { lang: '', dir: '' }, querySelectorAll: () => [] };
    fillTexts(page as unknown as Document);
    expect([page.documentElement, language()]).toEqual([{ lang, dir }, lang]);
  });
});
