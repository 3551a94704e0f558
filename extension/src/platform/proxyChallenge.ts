import type { ProxyPlan } from '../proxy/pac.ts';

type Details = chrome.webRequest.OnAuthRequiredDetails;
type Respond = (response: chrome.webRequest.BlockingResponse) => void;

/**
 * Answers the challenge of the helper's proxy (`webRequestAuthProvider`). Browsers ask once and send the answer with everything after, plain or CONNECT; Firefox asks for
 * its own requests too, which no other listener of an extension sees. `proxyAuthorizationHeader` of `proxy.onRequest` would spare the question, but Firefox 153
 * does not send it to a proxy of type "http", neither with CONNECT nor with plain requests.
 */
export class ProxyChallenge {
  private plan: ProxyPlan | null = null;
  private readonly answer = ({ isProxy, challenger }: Details, respond?: Respond): undefined => {
    const { plan } = this;
    const isMine = plan !== null && isProxy && challenger.host === '127.0.0.1' && challenger.port === plan.port;
    // the browser goes on only when it is answered
    respond?.(isMine ? { authCredentials: { username: plan.username, password: plan.password } } : {});
  };

  /** @param plan null for no answers */
  answerFor(plan: ProxyPlan | null): void {
    this.plan = plan;
    const { onAuthRequired } = chrome.webRequest;
    if (plan === null) onAuthRequired.removeListener(this.answer);
    else if (!onAuthRequired.hasListener(this.answer)) onAuthRequired.addListener(this.answer, { urls: ['<all_urls>'] }, ['asyncBlocking']);
  }
}
