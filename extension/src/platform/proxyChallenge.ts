import { LRUCache } from 'lru-cache';
import { bareHost } from '../../../shared/src/names/authority.ts';
import type { ProxyPlan } from '../proxy/pac.ts';

type Details = chrome.webRequest.OnAuthRequiredDetails;
type Respond = (response: chrome.webRequest.BlockingResponse) => void;

/** Of requests; a browser has no more under way. */
const MAX_ANSWERED = 1_000;

/**
 * Answers the challenge of the helper's proxy (`webRequestAuthProvider`). Browsers ask once and send the answer with everything after, plain or CONNECT; Firefox asks for
 * its own requests too, which no other listener of an extension sees. `proxyAuthorizationHeader` of `proxy.onRequest` would spare the question, but Firefox 153
 * does not send it to a proxy of type "http", neither with CONNECT nor with plain requests.
 *
 * A relay may have taken the token back: asked once more for the same request it is given nothing, and the user is not asked for what he does not know.
 */
export class ProxyChallenge {
  private plan: ProxyPlan | null = null;
  private readonly answered = new LRUCache<string, true>({ max: MAX_ANSWERED });
  private readonly answer = ({ isProxy, challenger, requestId }: Details, respond?: Respond): undefined => {
    const { plan } = this;
    const isMine = plan !== null && isProxy && bareHost(challenger.host) === bareHost(plan.relayHost ?? '127.0.0.1') && challenger.port === plan.port;
    const isRefused = isMine && plan.relayHost !== undefined && this.answered.has(requestId);
    if (isMine) this.answered.set(requestId, true);
    // the browser goes on only when it is answered
    if (isRefused) respond?.({ cancel: true });
    else respond?.(isMine ? { authCredentials: { username: plan.username, password: plan.password } } : {});
  };

  /** @param plan null for no answers */
  answerFor(plan: ProxyPlan | null): void {
    this.plan = plan;
    const { onAuthRequired } = chrome.webRequest;
    if (plan === null) onAuthRequired.removeListener(this.answer);
    else if (!onAuthRequired.hasListener(this.answer)) onAuthRequired.addListener(this.answer, { urls: ['<all_urls>'] }, ['asyncBlocking']);
  }
}
