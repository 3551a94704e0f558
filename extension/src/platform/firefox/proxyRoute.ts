import type { ProxyRoute } from '../proxyRoute.ts';

/** Firefox: not yet; pages are helped without connections of the helper. */
export function createProxyRoute(): ProxyRoute {
  return { isOurs: () => Promise.resolve(false), set: () => Promise.resolve(false) };
}
