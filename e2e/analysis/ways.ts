import type { Flow, Profile, ServedRequest } from '../metrics/testbed.ts';

/** Of the relay's namespace (e2e/link/side/config.go): where clients find it, and how servers see it. */
export const RELAY_ADDRESS = '10.99.0.2';
const RELAY_HOP_ADDRESS = '10.98.0.1';

/** Whether a relay has asked for it. */
export function isRelayed({ client }: Pick<ServedRequest, 'client'>): boolean {
  return client.startsWith(`${RELAY_HOP_ADDRESS}:`);
}

/** Whether a connection over the link leads to the relay. */
export function isCarrier({ server }: Pick<Flow, 'server'>): boolean {
  return server.startsWith(`${RELAY_ADDRESS}:`);
}

/** To the servers, over the second hop too where there is one. */
export function roundTripMs({ down, up, secondHop }: Profile): number {
  return down.delayMs + up.delayMs + 2 * (secondHop?.delayMs ?? 0);
}
