import { RELAY_OWN_STATUS } from '../../../../shared/src/relay/relayLink.ts';
import { goesToHelper, hostTable, isOffHost, type ProxyPlan } from '../../proxy/pac.ts';
import type { HostTable } from '../../urls/coveringHost.ts';
import { deviceAbilities, type DeviceAbilities } from '../deviceAbilities.ts';
import { RELAY_LIMIT_MS, type ProxyRoute } from '../proxyRoute.ts';
import { askFor, statusOf } from '../ownRequests.ts';
import { rememberRelay, wasRelayThere } from '../relayMemory.ts';
import { ProxyChallenge } from '../proxyChallenge.ts';
import { WEB_URLS } from '../../urls/webUrls.ts';
import { isOrdinary } from '../../background/ordinaryTab.ts';
import { pageOf } from './pageOf.ts';

/** WebSockets keep their own way: Firefox shows them only to who has access to ws: sites, and a tunnel gains them nothing. Private windows and containers keep theirs too. */
const FILTER = { urls: WEB_URLS, incognito: false };

/** What a user has who has set nothing: Firefox's default, and none at all. */
const UNSET_TYPES: ReadonlySet<string> = new Set(['system', 'none']);

/** One that is gone is noticed sooner (relayBeats.ts). */
const RELAY_FAILOVER_S = 30;

/** A plan in the form in which each request asks for it. */
interface Way {
  readonly relayHost: string | undefined;
  readonly port: number;
  readonly left: HostTable;
  readonly off: HostTable;
  /** The browser itself for all when the helper does not answer. */
  readonly proxies: readonly FirefoxProxyInfo[];
  /** Null once the challenge is answered: until then nothing but this goes to the helper. */
  readonly only: string | null;
  /** Of a relay. */
  readonly authorization: string;
}

/**
 * Firefox: `proxy.onRequest`, and the answer to the proxy's challenge. `proxy.settings.set`, with a PAC script, would want access to private windows.
 *
 * A listener beside that of the gate: Firefox asks each in turn, and the undefined with which the gate releases leaves what the other has said (Firefox 153,
 * ProxyChannelFilter). Both of ours are added while there is a plan, never at the top level, or Firefox would keep them and wake the event page for every request.
 *
 * @param isWithout whether a tab's page is loaded without Firstscreen: nothing that it asks for goes to the helper
 * @param othersChanged somebody else has come to say where requests go, or says it no more
 */
export function createProxyRoute(isWithout: (tabId: number) => boolean, othersChanged: () => void): ProxyRoute {
  let way: Way | null = null;
  /** Firefox would let an extension override what the user has set, and does not tell when he sets it: asked again at each page. */
  let isUnset = true;
  let abilities: Promise<DeviceAbilities> | undefined;
  const challenge = new ProxyChallenge();
  const { onRequest, settings } = browser.proxy;

  async function isOurs(): Promise<boolean> {
    // people have no such settings on Android either
    if (!(await (abilities ??= deviceAbilities())).hasProxySettings) return true;
    const { levelOfControl, value } = await settings.get({});
    const wasUnset = isUnset;
    isUnset = levelOfControl === 'controllable_by_this_extension' && UNSET_TYPES.has(value.proxyType);
    if (isUnset !== wasUnset) othersChanged();
    return isUnset;
  }

  function route(details: FirefoxProxyRequest): ReturnType<FirefoxRouteListener> {
    const { url, type, tabId, cookieStoreId } = details;
    if (way === null || isWithout(tabId) || !isOrdinary({ incognito: false, cookieStoreId })) return undefined;
    const { proxies, only, left, off, relayHost } = way;
    const host = new URL(url).hostname;
    if (relayHost !== undefined && !url.startsWith('https:')) return undefined;
    // whatever a page asks for whose site is off, and what others ask of that site
    if (isOffHost(host, off) || isOffHost(hostOf(pageOf(details)), off)) return undefined;
    if (only === null ? !goesToHelper(host, left) : host !== only) return undefined;
    if (type === 'main_frame') return isOurs().then((isStillOurs) => (isStillOurs ? proxies : undefined), () => undefined);
    return isUnset ? proxies : undefined;
  }

  async function set(plan: ProxyPlan | null): Promise<boolean> {
    const relay = plan?.relayHost === undefined ? null : `${plan.relayHost}:${plan.port}`;
    const isNew = plan !== null && (plan.port !== way?.port || plan.relayHost !== way.relayHost || way.only !== null) && !(relay !== null && way === null && (await wasRelayThere(relay)));
    const next: Way | null = plan && {
      relayHost: plan.relayHost, port: plan.port, authorization: authorizationOf(plan), left: hostTable(plan.leftHosts), off: hostTable(plan.offHosts), proxies: [proxyOf(plan), { type: 'direct' }], only: isNew ? plan.ownHost : null,
    };
    way = next;
    challenge.answerFor(plan);
    if (plan === null) onRequest.removeListener(route);
    else if (!onRequest.hasListener(route)) onRequest.addListener(route, FILTER);
    // no request of a page may wait for the answer to the challenge: a background page that is stopped then never gives it
    if (plan !== null && isNew && plan.relayHost === undefined) await askFor(plan.ownHost);
    else if (plan !== null && isNew && !(await isRelayThere(RELAY_LIMIT_MS))) {
      if (way === next) await set(null);
      return false;
    }
    await rememberRelay(relay);
    if (next !== null && way === next) way = { ...next, only: null };
    return true;
  }

  /** Asked directly: Firefox makes https: of what an extension asks for (its content security policy, and its HTTPS-only mode), and of that the relay sees a CONNECT alone. */
  async function isRelayThere(limitMs: number): Promise<boolean> {
    if (way?.relayHost === undefined) return false;
    const { relayHost, port, authorization } = way;
    return (await statusOf(`https://${relayHost}:${port}/`, limitMs, { authorization })) === RELAY_OWN_STATUS;
  }

  return { knowsTabs: true, isOurs, set, isRelayThere };
}

function authorizationOf({ username, password }: ProxyPlan): string {
  return `Basic ${btoa(`${username}:${password}`)}`;
}

function proxyOf(plan: ProxyPlan): FirefoxProxyInfo {
  const { relayHost, port } = plan;
  if (relayHost === undefined) return { type: 'http', host: '127.0.0.1', port };
  return { type: 'https', host: relayHost, port, proxyAuthorizationHeader: authorizationOf(plan), failoverTimeout: RELAY_FAILOVER_S };
}

/** Empty for a page that is not known, or has none. */
function hostOf(page: string | null): string {
  return page !== null && URL.canParse(page) ? new URL(page).hostname : '';
}
