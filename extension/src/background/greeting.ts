import { greets } from '#platform/installation.ts';
import { WELCOME_PAGE } from '../messages/welcome.ts';
import { logFailure } from './log.ts';

/** Opens the welcome page in a tab of its own, once: when the extension has been installed by the person who sees it. */
export function greetOnce(): void {
  chrome.runtime.onInstalled.addListener((details) => {
    if (greets(details)) chrome.tabs.create({ url: chrome.runtime.getURL(WELCOME_PAGE) }).catch(logFailure('welcome', 'the welcome page was not opened'));
  });
}
