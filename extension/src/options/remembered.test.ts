import { beforeEach, expect, it, vi } from 'vitest';
import { rememberedState, rememberedText } from './remembered.ts';

const SITE = { site: 'a.test', pages: 3, lastDay: 20_783 };

beforeEach(() => vi.stubGlobal('chrome', { i18n: { getMessage: (key: string, substitutions: string[]) => [key, ...substitutions].join(' ') } }));

it('says how many pages and which day, as the language writes it', () => {
  expect(rememberedText(SITE, 'en')).toBe('rememberedPagesAndDay 3 Nov 26, 2026');
  expect(rememberedText(SITE, 'de')).toBe('rememberedPagesAndDay 3 26.11.2026');
});

it('says no day that there can not be', () => expect(rememberedText({ ...SITE, lastDay: Number.MAX_SAFE_INTEGER }, 'en')).toBe('rememberedPages 3'));

it.each([
  [{ sites: [SITE], more: 0 }, 'connected', ''],
  [{ sites: [SITE], more: 7 }, 'connected', 'rememberedMore 7'],
  [{ sites: [], more: 0 }, 'connected', 'rememberedNone'],
  [null, 'connected', 'rememberedUnknown'],
  [null, 'connecting', 'helperSought'],
  [null, 'absent', 'rememberedNoHelper'],
  [null, 'notHere', 'rememberedNotHere'],
  [null, null, 'noteNoAnswer'],
] as const)('of %j with a helper that is %s says: %s', (remembered, helper, expected) => expect(rememberedState(remembered && { ...remembered, sites: [...remembered.sites] }, helper)).toBe(expected));
