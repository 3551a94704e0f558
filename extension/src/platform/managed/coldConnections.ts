export { coldConnections } from '../chromium/coldConnections.ts';
