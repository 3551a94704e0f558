/** Of the extension's own pages, the one of the first run. */
export const WELCOME_PAGE = 'welcome.html';

/**
 * What the welcome page asks the background script, beside the status (status.ts): to look now for a helper that is
 * absent, and for an authority that the helper has not read yet. Answered with null when it is known what there is.
 */
export interface LookQuestion {
  readonly type: 'look';
}
