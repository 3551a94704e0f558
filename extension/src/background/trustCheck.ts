import { TRUST_CHECK_HOST } from '../../../shared/src/protocol/identity.ts';

const LIMIT_MS = 5_000;

/** A request to the helper, so that the browser has asked for its way and its credentials before a page does: each takes some milliseconds once. */
export async function greetHelper(): Promise<void> {
  await fetch(`http://${TRUST_CHECK_HOST}/`, { cache: 'no-store', credentials: 'omit', mode: 'no-cors', signal: AbortSignal.timeout(LIMIT_MS) }).catch(() => undefined);
}

/** Whether this browser takes a certificate of the helper for a true one: asks for a host that only the helper answers for. */
export async function trustsHelper(): Promise<boolean> {
  try {
    const answer = await fetch(`https://${TRUST_CHECK_HOST}/`, { cache: 'no-store', credentials: 'omit', mode: 'no-cors', signal: AbortSignal.timeout(LIMIT_MS) });
    return answer.type === 'opaque' || answer.status === 204;
  } catch {
    return false;
  }
}
