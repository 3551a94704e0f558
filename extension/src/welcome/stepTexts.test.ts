import { beforeEach, expect, it, vi } from 'vitest';
import { stepTexts } from './stepTexts.ts';
import { STEP_NAMES } from './steps.ts';

beforeEach(() => vi.stubGlobal('chrome', { i18n: { getMessage: () => '', getUILanguage: () => 'en' } }));

it.each([
  ['store', 'effectStore'],
  ['policy', 'effectByPolicy'],
  ['firefox', 'effectFirefox'],
] as const)('of access what was measured where it is installed so: %s', (installation, effect) => {
  expect(stepTexts(installation).access.effects).toEqual([effect]);
});

it('says of each step another thing, and what was measured', () => {
  const texts = Object.values(stepTexts('store'));
  expect(texts).toHaveLength(STEP_NAMES.length);
  const all = texts.flatMap(({ title, gives, effects, privacy }) => [title, gives, ...effects, privacy]);
  expect(new Set(all).size).toBe(all.length);
  expect(texts.every(({ effects }) => effects.length > 0)).toBe(true);
});
