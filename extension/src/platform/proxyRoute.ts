import { RELAY_OWN_STATUS } from '../../../shared/src/relay/relayLink.ts';
import type { ProxyPlan } from '../proxy/pac.ts';
import { statusOf } from './ownRequests.ts';

/** Where the browser sends its requests. One implementation per browser mechanism. */
export interface ProxyRoute {
  /** Whether it tells tabs apart, so that what one asks for can go by the browser itself while others go as planned. */
  readonly knowsTabs: boolean;
  /** Whether nobody else (the user, a policy, another extension) has said where requests go. */
  isOurs(): Promise<boolean>;
  /** From when the promise resolves: new requests go as planned; with null as if there were no extension. Resolves with false when the browser refuses, or a relay does not answer. */
  set(plan: ProxyPlan | null): Promise<boolean>;
}

/** TCP, TLS and the answer to its challenge, over a slow link. */
const RELAY_LIMIT_MS = 10_000;

/** Whether the relay of a plan that is set is there, and lets this browser in. The answer to its challenge is in the browser then. */
export async function isRelayThere({ ownHost }: Pick<ProxyPlan, 'ownHost'>): Promise<boolean> {
  return (await statusOf(ownHost, RELAY_LIMIT_MS)) === RELAY_OWN_STATUS;
}
