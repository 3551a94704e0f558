import { NEAR, type ProxyPlan } from '../../proxy/pac.ts';

type Rule = chrome.declarativeNetRequest.Rule;

const PUBLIC: Rule = {
  id: 1, priority: 1,
  action: { type: 'modifyHeaders', responseHeaders: [{ header: 'content-security-policy', operation: 'append', value: 'treat-as-public-address' }] },
  condition: { regexFilter: '^https?:', resourceTypes: ['main_frame', 'sub_frame', 'script'] },
};

/**
 * Chromium takes what came by a proxy on this machine for a page of this machine, which may go anywhere (Local Network
 * Access knows the address of the connection alone). What the helper carries is of the public web, and says so, as a
 * server may (Private Network Access, section 3.3): pages and what workers are made of. What the browser fetches itself
 * is judged by its own address.
 */
export class PublicPages {
  /** The rules that this worker has set last, as JSON; those of a worker before it are not known. */
  private inForce = '';

  /** @param plan null for none that is public by the helper */
  async mark(plan: Pick<ProxyPlan, 'leftHosts' | 'offHosts'> | null): Promise<void> {
    const addRules = plan === null ? [] : [PUBLIC, ...exceptions(plan)];
    const wanted = JSON.stringify(addRules);
    // each change empties what pages keep in memory (docs/adr/0097)
    if (wanted === this.inForce) return;
    const { getSessionRules, updateSessionRules } = chrome.declarativeNetRequest;
    const removeRuleIds = (await getSessionRules()).map(({ id }) => id);
    await updateSessionRules({ removeRuleIds, addRules });
    this.inForce = wanted;
  }
}

/** What goes by the browser itself (pac.ts, `goesToHelper`, `isOffHost`). */
function exceptions({ leftHosts, offHosts }: Pick<ProxyPlan, 'leftHosts' | 'offHosts'>): Rule[] {
  const conditions = [
    ...NEAR.map((near) => ({ regexFilter: String.raw`^https?://([^/@]*@)?\[?(${near})\]?\.?(:\d+)?/` })),
    ...leftHosts.flatMap((host) => ['http', 'https'].map((scheme) => ({ urlFilter: `|${scheme}://${host}^` }))),
    // it covers hosts below them; an empty list is refused
    ...(offHosts.length === 0 ? [] : [{ requestDomains: [...offHosts] }]),
  ];
  const { resourceTypes } = PUBLIC.condition;
  return conditions.map((condition, place) => ({
    id: place + 2, priority: 2, action: { type: 'allow' }, condition: { ...condition, ...(resourceTypes && { resourceTypes }) },
  }));
}
