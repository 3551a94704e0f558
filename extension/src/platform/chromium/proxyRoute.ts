import { pacScript } from '../../proxy/pac.ts';
import type { ProxyRoute } from '../proxyRoute.ts';

/** What a user has who has set nothing: Chromium's default, and none at all. */
const UNSET_MODES: ReadonlySet<string> = new Set(['system', 'direct']);
const OURS = 'controlled_by_this_extension';

/** Chromium: a PAC script, and the answer to the proxy's challenge (`webRequestAuthProvider`). Private windows keep their own way. */
export function createProxyRoute(): ProxyRoute {
  let plan: { readonly port: number; readonly username: string; readonly password: string } | null = null;
  chrome.webRequest.onAuthRequired.addListener(
    ({ isProxy, challenger }, respond) => {
      const isMine = plan !== null && isProxy && challenger.host === '127.0.0.1' && challenger.port === plan.port;
      respond?.(isMine && plan !== null ? { authCredentials: { username: plan.username, password: plan.password } } : {});
      return undefined;
    },
    { urls: ['<all_urls>'] },
    ['asyncBlocking'],
  );
  return {
    async isOurs() {
      const { levelOfControl, value } = await chrome.proxy.settings.get({});
      if (levelOfControl === OURS) return true;
      return levelOfControl === 'controllable_by_this_extension' && UNSET_MODES.has(value.mode);
    },
    async set(next) {
      plan = next;
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
