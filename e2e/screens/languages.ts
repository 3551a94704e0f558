import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Texts } from './fakeExtension.ts';

/** Around each text of a language of tests, so that one that is cut off, or built of two, shows. */
const [BEGIN, END] = ['⟦', '⟧'];
/** Of other languages; texts shorter than that grow more (W3C, Text size in translation). */
const GROWTH = 0.4;
const SHORT_CHARS = 20;
const SHORT_GROWTH = 1;
const FILLER = '~';
/** Of each letter one that looks like it, and that no text of ours has. */
const ACCENTED: Readonly<Record<string, string>> = {
  a: 'á', b: 'ƀ', c: 'ç', d: 'ð', e: 'é', f: 'ƒ', g: 'ğ', h: 'ĥ', i: 'í', j: 'ĵ', k: 'ķ', l: 'ļ', m: 'ɱ', n: 'ñ', o: 'ó', p: 'þ', q: 'ɋ', r: 'ř', s: 'š', t: 'ţ', u: 'ú', v: 'ṽ', w: 'ŵ', x: 'ẋ', y: 'ý', z: 'ž',
  A: 'Á', B: 'Ɓ', C: 'Ç', D: 'Ð', E: 'É', F: 'Ƒ', G: 'Ğ', H: 'Ĥ', I: 'Í', J: 'Ĵ', K: 'Ķ', L: 'Ļ', M: 'Ṁ', N: 'Ñ', O: 'Ó', P: 'Þ', Q: 'Ɋ', R: 'Ř', S: 'Š', T: 'Ţ', U: 'Ú', V: 'Ṽ', W: 'Ŵ', X: 'Ẋ', Y: 'Ý', Z: 'Ž',
};

/** The texts of a built extension. */
export async function readTexts(extensionDir: string, language: string): Promise<Texts> {
  const messages = JSON.parse(await readFile(path.join(extensionDir, '_locales', language, 'messages.json'), 'utf8')) as Record<string, { readonly message: string }>;
  return { language, direction: 'ltr', messages: Object.fromEntries(Object.entries(messages).map(([key, { message }]) => [key, message])) };
}

/**
 * A language that nobody speaks: every text can still be read, but is longer, and without a letter of ASCII. Numbers,
 * units and dates are written in Cyrillic. So a letter of ASCII on a page is of its data, or of a text that is not in
 * `_locales`.
 */
export function pseudoTexts({ messages }: Texts, direction: Texts['direction'] = 'ltr'): Texts {
  return { language: 'ru', direction, messages: { ...Object.fromEntries(Object.entries(messages).map(([key, message]) => [key, pseudoText(message)])), language: 'ru' } };
}

export function pseudoText(text: string): string {
  const growth = text.length < SHORT_CHARS ? SHORT_GROWTH : GROWTH;
  // in pieces, as words are: a long one would break lines as no word does
  const filler = Array.from({ length: Math.ceil((text.length * growth) / 5) }, () => FILLER.repeat(4)).join(' ');
  return `${BEGIN}${text.replaceAll(/[a-z]/gi, (letter) => ACCENTED[letter] ?? letter)} ${filler}${END}`;
}
