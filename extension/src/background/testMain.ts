/**
 * The background script of tests, which is never packaged (build/extension): on loopback it does what it would on a
 * slow link.
 */
import { INITIAL_LINK } from '../../../shared/src/estimation/link.ts';
import { startBackground } from './start.ts';

startBackground(async () => {
  const { anyLink, alwaysHold } = await chrome.storage.local.get(['anyLink', 'alwaysHold']);
  return { fixedLink: anyLink === true || alwaysHold === true ? INITIAL_LINK : null, holdsAll: alwaysHold === true };
});
