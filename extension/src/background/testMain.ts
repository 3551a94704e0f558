/**
 * The background script of tests, which is never packaged (build/extension): on loopback it does what it would on a
 * slow link.
 */
import { INITIAL_LINK, type LinkEstimate } from '../../../shared/src/estimation/link.ts';
import { startBackground } from './start.ts';

interface TestSettings {
  anyLink?: boolean;
  alwaysHold?: boolean;
  link?: LinkEstimate;
}

startBackground(async () => {
  const { anyLink, alwaysHold, link } = await chrome.storage.local.get<TestSettings>(['anyLink', 'alwaysHold', 'link']);
  return { fixedLink: link ?? (anyLink === true ? INITIAL_LINK : null), holdsAll: alwaysHold === true };
});
