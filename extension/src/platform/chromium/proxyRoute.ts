import { RELAY_OWN_STATUS } from '../../../../shared/src/relay/relayLink.ts';
import { pacScript, type ProxyPlan } from '../../proxy/pac.ts';
import { askFor, statusOf } from '../ownRequests.ts';
import { ProxyChallenge } from '../proxyChallenge.ts';
import { RELAY_LIMIT_MS, type ProxyRoute } from '../proxyRoute.ts';
import { rememberRelay, wasRelayThere } from '../relayMemory.ts';
import { WEB_URLS } from '../../urls/webUrls.ts';
import { Turns } from '../turns.ts';
import { PublicPages } from './publicPages.ts';
import { RequestsUnderWay } from './underWay.ts';

/** What a user has who has set nothing: Chromium's default, and none at all. Not auto_detect, pac_script or fixed_servers: who chose one of these may be allowed no other way. */
const UNSET_MODES: ReadonlySet<string> = new Set(['system', 'direct']);
const OURS = 'controlled_by_this_extension';

interface Setting {
  readonly levelOfControl: string;
  readonly value: { readonly mode: string };
}

/**
 * Chromium: a PAC script, and the answer to the proxy's challenge. Private windows keep their own way.
 *
 * The helper ends the CONNECT to a host that it leaves without an answer. Chromium goes on to that host itself within
 * the same request, and would go everywhere itself for the next minutes, as for a proxy that is broken; a script that
 * is set anew, after that, ends it.
 *
 * @param othersChanged somebody else has come to say where requests go, or says it no more
 */
export function createProxyRoute(_isWithout: (tabId: number) => boolean, othersChanged: () => void): ProxyRoute {
  const challenge = new ProxyChallenge();
  const publicPages = new PublicPages();
  const underWay = new RequestsUnderWay(() => void turns.take(() => (plan === null ? Promise.resolve() : set({ ...plan }))).catch(() => undefined));
  let plan: ProxyPlan | null = null;
  /** A script that is set anew must not come after the last word. */
  const turns = new Turns();
  /** As it was seen last. */
  let isMine = true;
  /** Of the script that is in force; empty until it is armed. */
  let armingHost = '';
  /** The helper, or the relay, that a script was armed for. */
  let armedFor: string | null = null;

  chrome.proxy.settings.onChange.addListener((details) => {
    if (details.incognitoSpecific !== true) see(details);
  });

  /** @returns whether nobody else says where requests go */
  function see({ levelOfControl, value }: Setting): boolean {
    const wasMine = isMine;
    isMine = levelOfControl === OURS || (levelOfControl === 'controllable_by_this_extension' && UNSET_MODES.has(value.mode));
    if (isMine !== wasMine) othersChanged();
    return isMine;
  }

  /** Chromium loads the script anew when the network changes, and forgets that it was armed. */
  function armAgain(): undefined {
    if (armingHost !== '') void askFor(armingHost);
  }

  /** Asked by itself as a proxy: the browser has answered its challenge then. */
  async function isRelayThere(limitMs: number): Promise<boolean> {
    return plan?.relayHost !== undefined && (await statusOf(`http://${plan.ownHost}/`, limitMs)) === RELAY_OWN_STATUS;
  }

  async function set(next: ProxyPlan | null): Promise<void> {
    plan = next;
    const { onBeforeRequest } = chrome.webRequest;
    armingHost = '';
    if (next === null) {
      onBeforeRequest.removeListener(armAgain);
      armedFor = null;
      await rememberRelay(null);
      underWay.watch([]);
      await chrome.proxy.settings.clear({ scope: 'regular_only' });
      await publicPages.mark(null);
      return;
    }
    const ownArmingHost = `${crypto.randomUUID()}.invalid`;
    // what comes by a relay comes from an address of the web
    await publicPages.mark(next.relayHost === undefined ? next : null);
    const proxy = `${next.relayHost ?? ''}:${next.port}`;
    const isArmedFor = proxy === armedFor || (armedFor === null && next.relayHost !== undefined && (await wasRelayThere(proxy)));
    const data = pacScript({ ...next, armingHost: ownArmingHost, followsAtMs: isArmedFor ? Date.now() : null });
    await chrome.proxy.settings.set({ scope: 'regular_only', value: { mode: 'pac_script', pacScript: { data, mandatory: false } } });
    // no request of a page may wait for the answer to the challenge: a worker that is stopped then never gives it
    if (!isArmedFor && next.relayHost === undefined) await askFor(next.ownHost);
    else if (!isArmedFor && !(await isRelayThere(RELAY_LIMIT_MS))) {
      if (plan === next) await set(null);
      throw new Error('the relay does not answer');
    }
    // before this the first script sends nothing else to the helper (pac.ts)
    await askFor(ownArmingHost);
    armedFor = proxy;
    if (next.relayHost !== undefined) await rememberRelay(proxy);
    // another plan has come meanwhile
    if (plan !== next) return;
    underWay.watch(next.leftHosts);
    armingHost = ownArmingHost;
    // it stays while there is a plan: each change empties what pages keep in memory (docs/adr/0097)
    if (!onBeforeRequest.hasListener(armAgain)) onBeforeRequest.addListener(armAgain, { urls: WEB_URLS, types: ['main_frame'] });
  }

  return {
    isRelayThere,
    // a script is asked for an address, and nothing else
    knowsTabs: false,
    isOurs: async () => see(await chrome.proxy.settings.get({})),
    async set(next) {
      challenge.answerFor(next);
      try {
        await turns.take(() => set(next));
        return true;
      } catch {
        return false;
      }
    },
  };
}
