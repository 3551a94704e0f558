import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pseudoText, pseudoTexts } from './languages.ts';

const TEXTS = { language: 'en', direction: 'ltr', messages: { a: 'Use on $1' } } as const;

describe('the language of tests', () => {
  it('can be read, and keeps what is put in', () => expect(pseudoText('Use on $1')).toBe('⟦Úšé óñ $1 ~~~~ ~~~~⟧'));

  it('has no letter of ASCII, all substitutions, and is longer than any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const pseudo = pseudoText(text);
        expect(pseudo).not.toMatch(/[a-z]/i);
        expect(pseudo.match(/\$\d/g)).toEqual(text.match(/\$\d/g));
        expect(pseudo.length).toBeGreaterThan(text.length * 1.3);
      }),
    );
  });

  it('writes numbers and dates without a word of ASCII, from whichever side', () => {
    expect(pseudoTexts(TEXTS, 'rtl')).toEqual({ language: 'ru', direction: 'rtl', messages: { a: '⟦Úšé óñ $1 ~~~~ ~~~~⟧', language: 'ru' } });
    expect(new Intl.DateTimeFormat('ru', { dateStyle: 'medium', timeZone: 'UTC' }).format(0)).not.toMatch(/[a-z]{2,}/i);
    expect(new Intl.NumberFormat('ru', { style: 'unit', unit: 'megabit-per-second', unitDisplay: 'short' }).format(1.6)).not.toMatch(/[a-z]{2,}/i);
  });
});
