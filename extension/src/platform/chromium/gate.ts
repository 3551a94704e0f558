import type { GateHost, RequestGate } from '../gate.ts';

/** Chromium without a policy has no way to hold a request that pages do not notice (docs/adr/0023). */
export function createGate(_host: GateHost): RequestGate | null {
  return null;
}
