import { beforeEach, expect, it, vi } from 'vitest';
import { effectTexts } from './effectTexts.ts';
import { SECOND_VISITS } from './effects.ts';

const echo = (language: string): object => ({ i18n: { getMessage: (key: string, substitutions: string[] = []) => (key === 'language' ? language : `${key}(${substitutions.join('; ')})`), getUILanguage: () => language } });

beforeEach(() => vi.stubGlobal('chrome', echo('en')));

it('tells each effect as a share of the time, with its interval and its losers, and leaves none out', () => {
  const { firefox, policy, store, secondVisits, tunnel, interception, nextPage, dataSaver, driver } = effectTexts();
  expect([firefox, policy, store]).toEqual(['effectFirefox(effectRatioInterval(94%; 81%; 98%; 38; 1; 3))', 'effectByPolicy(effectRatio(100%; 39; 1; 14))', 'effectStore()']);
  expect(driver).toBe('effectDriver(8; 56%; 36%; 59%; 120)');
  expect([secondVisits, tunnel, interception, nextPage, dataSaver].map((text) => text.split('(', 1)[0])).toEqual(['effectSecondVisits', 'effectTunnel', 'effectInterception', 'effectNextPage', 'effectDataSaver']);
});

it('writes numbers as the language does', async () => {
  vi.stubGlobal('chrome', echo('de'));
  vi.resetModules();
  const german = await import('./effectTexts.ts');
  expect(german.conditionsText()).toBe('effectConditions(1,6; 150)');
  expect(german.effectTexts().secondVisits).toContain(`${Math.round(100 * SECOND_VISITS.ratio)}\u00A0%`);
});
