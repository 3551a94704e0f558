import { codeOf, type ErrorCode } from '../../../shared/src/errors.ts';
import { MAX_SITES } from '../settings/sites.ts';
import { t } from './texts.ts';

const TEXTS: Partial<Readonly<Record<ErrorCode, () => string>>> = {
  E_SITE: () => t('errorSite'),
  E_SITES_FILE: () => t('errorSitesFile'),
  E_SITES_VERSION: () => t('errorSitesVersion'),
  E_SITES_FULL: () => t('errorSitesFull', MAX_SITES),
};

/** What went wrong with the list of sites, with the next step, in the reader's language. */
export function siteErrorText(error: unknown): string {
  return (TEXTS[codeOf(error)] ?? (() => t('errorUnexpected')))();
}
