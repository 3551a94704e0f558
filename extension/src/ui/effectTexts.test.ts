import { beforeEach, expect, it, vi } from 'vitest';
import { conditionsText, effectTexts, formatsOf } from './effectTexts.ts';
import { SECOND_VISITS } from './effects.ts';

beforeEach(() => vi.stubGlobal('chrome', { i18n: { getMessage: (key: string, substitutions: string[]) => `${key}(${substitutions.join('; ')})` } }));

it('tells each effect as a share of the time, with its interval and its losers, and leaves none out', () => {
  const { firefox, policy, store, secondVisits, tunnel, interception, nextPage, dataSaver, driver } = effectTexts(formatsOf('en'));
  expect([firefox, policy, store]).toEqual(['effectFirefox(effectRatioInterval(94%; 81%; 98%; 38; 1; 3))', 'effectByPolicy(effectRatio(100%; 39; 1; 14))', 'effectStore()']);
  expect(driver).toBe('effectDriver(8; 56%; 36%; 59%; 120)');
  expect([secondVisits, tunnel, interception, nextPage, dataSaver].map((text) => text.split('(', 1)[0])).toEqual(['effectSecondVisits', 'effectTunnel', 'effectInterception', 'effectNextPage', 'effectDataSaver']);
});

it('writes numbers as the language does', () => {
  expect(conditionsText(formatsOf('de'))).toBe('effectConditions(1,6; 150)');
  expect(effectTexts(formatsOf('de')).secondVisits).toContain(`${Math.round(100 * SECOND_VISITS.ratio)}\u00A0%`);
});
