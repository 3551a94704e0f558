export { createProxyRoute } from '../chromium/proxyRoute.ts';
