import { askFor } from '../platform/ownRequests.ts';

const LIMIT_MS = 5_000;

/** Whether this browser takes a certificate of the helper for a true one: asks for a host that only the helper answers for. @param ownHost the helper's (`proxied`) */
export async function trustsHelper(ownHost: string): Promise<boolean> {
  const answer = await askFor(ownHost, 'https', LIMIT_MS);
  return answer?.type === 'opaque' || answer?.status === 204;
}
