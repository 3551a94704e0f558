import { pacScript } from '../../proxy/pac.ts';
import { ProxyChallenge } from '../proxyChallenge.ts';
import type { ProxyRoute } from '../proxyRoute.ts';

/** What a user has who has set nothing: Chromium's default, and none at all. */
const UNSET_MODES: ReadonlySet<string> = new Set(['system', 'direct']);
const OURS = 'controlled_by_this_extension';

/** Chromium: a PAC script, and the answer to the proxy's challenge. Private windows keep their own way. */
export function createProxyRoute(): ProxyRoute {
  const challenge = new ProxyChallenge();
  return {
    async isOurs() {
      const { levelOfControl, value } = await chrome.proxy.settings.get({});
      if (levelOfControl === OURS) return true;
      return levelOfControl === 'controllable_by_this_extension' && UNSET_MODES.has(value.mode);
    },
    async set(next) {
      challenge.answerFor(next);
      try {
        if (next === null) await chrome.proxy.settings.clear({ scope: 'regular_only' });
        else await chrome.proxy.settings.set({ scope: 'regular_only', value: { mode: 'pac_script', pacScript: { data: pacScript(next), mandatory: false } } });
        return true;
      } catch {
        return false;
      }
    },
  };
}
