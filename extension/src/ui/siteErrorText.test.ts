import { beforeEach, expect, it, vi } from 'vitest';
import { FirstscreenError, type ErrorCode } from '../../../shared/src/errors.ts';
import { siteErrorText } from './siteErrorText.ts';

beforeEach(() => vi.stubGlobal('chrome', { i18n: { getMessage: (key: string, substitutions: string[]) => [key, ...substitutions].join(' ') } }));

it.each<[ErrorCode, string]>([
  ['E_SITE', 'errorSite'],
  ['E_SITES_FILE', 'errorSitesFile'],
  ['E_SITES_VERSION', 'errorSitesVersion'],
  ['E_SITES_FULL', 'errorSitesFull 1000'],
  ['E_MEMORY', 'errorUnexpected'],
])('%s is told as %s', (code, text) => expect(siteErrorText(new FirstscreenError(code, 'm', 'n'))).toBe(text));

it('a defect is told as one, without its text', () => expect(siteErrorText(new RangeError('secret'))).toBe('errorUnexpected'));
