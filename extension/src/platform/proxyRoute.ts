import type { ProxyPlan } from '../proxy/pac.ts';

/** Where the browser sends its requests. One implementation per browser mechanism. */
export interface ProxyRoute {
  /** Whether it tells tabs apart, so that what one asks for can go by the browser itself while others go as planned. */
  readonly knowsTabs: boolean;
  /** Whether nobody else (the user, a policy, another extension) has said where requests go. */
  isOurs(): Promise<boolean>;
  /** From when the promise resolves: new requests go as planned; with null as if there were no extension. Resolves with false when the browser refuses. */
  set(plan: ProxyPlan | null): Promise<boolean>;
}
