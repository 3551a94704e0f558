import { valuesOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';

/**
 * Schemes that authenticate a connection and not a request: all that follows on it is the same user's (NTLM: MS-NTHT;
 * Negotiate: RFC 4559, section 6).
 */
const CREDENTIALS = /^\s*(ntlm|negotiate)\b/i;
/** Several challenges may be in one field (RFC 9110, section 11.6.1). */
const CHALLENGE = /(^|,)\s*(ntlm|negotiate)\b/i;

/** Whether a request authenticates its connection. */
export function authenticatesConnection(request: RawHeaders): boolean {
  return valuesOf(request, 'authorization').some((value) => CREDENTIALS.test(value));
}

/** Whether an answer asks for that. */
export function challengesConnection(response: RawHeaders): boolean {
  return [...valuesOf(response, 'www-authenticate'), ...valuesOf(response, 'proxy-authenticate')].some((value) => CHALLENGE.test(value));
}
