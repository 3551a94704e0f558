import type { ErrorCode } from '../../../shared/src/errors.ts';
import type { LinkEstimate } from '../../../shared/src/estimation/link.ts';
import type { HelperMessageOf } from '../../../shared/src/protocol/native.ts';

/** What the options page asks the background script, beside the status (status.ts). */
export type OptionsQuestion =
  | { readonly type: 'remembered' }
  /** @property site its host; null for all that is remembered */
  | { readonly type: 'forget'; readonly site: string | null }
  | { readonly type: 'facts' };

/** Sites with the number of their pages, and the day of the last visit (days since 1970), and how many `more` there are. */
export type RememberedSites = HelperMessageOf<'rememberedSites'>['payload'];
export type RememberedSite = RememberedSites['sites'][number];

/** How often a code was logged, and when for the last time, in milliseconds of the wall clock. */
export interface LoggedCode {
  readonly code: ErrorCode;
  readonly count: number;
  readonly lastMs: number;
}

/** What the background script alone knows, for the diagnostics. */
export interface BackgroundFacts {
  readonly helperVersion: string | null;
  readonly link: LinkEstimate;
  /** Since the background script was started, the last one first. */
  readonly loggedCodes: readonly LoggedCode[];
}

/** The answer to each question; null where the helper gave none. */
export interface OptionsAnswers {
  readonly remembered: RememberedSites | null;
  readonly forget: number | null;
  readonly facts: BackgroundFacts;
}
