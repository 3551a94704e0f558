import type { ProxyPlan } from '../proxy/pac.ts';

/** Where the browser sends its requests. One implementation per browser mechanism. */
export interface ProxyRoute {
  /** Whether it tells tabs apart, so that what one asks for can go by the browser itself while others go as planned. */
  readonly knowsTabs: boolean;
  /** Whether nobody else (the user, a policy, another extension) has said where requests go. */
  isOurs(): Promise<boolean>;
  /** From when the promise resolves: new requests go as planned; with null as if there were no extension. Resolves with false when the browser refuses, or a relay does not answer. */
  set(plan: ProxyPlan | null): Promise<boolean>;
  /** Whether the relay of the plan that is set answers in time, and lets this browser in. */
  isRelayThere(limitMs: number): Promise<boolean>;
}

/** For TCP, TLS and the answer to a challenge, over a slow link. */
export const RELAY_LIMIT_MS = 10_000;
