import { greets } from '#platform/installation.ts';
import { WELCOME_PAGE } from '../messages/welcome.ts';

/** Opens the welcome page in a tab of its own, once: when the extension has been installed by the person who sees it. */
export function greetOnce(): void {
  chrome.runtime.onInstalled.addListener((details) => {
    if (greets(details)) void chrome.tabs.create({ url: chrome.runtime.getURL(WELCOME_PAGE) });
  });
}
