import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What the browser must know to use the proxy; made anew at each start, and told over the native-messaging port only. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
  /**
   * A name of the helper itself, no host of the web (RFC 6761, section 6.4): a browser that gets its answer goes by the helper, and over https: trusts the certificate of its authority. Nobody else knows it, so
   * no page can ask the same.
   */
  readonly ownHost: string;
}

const USERNAME = 'firstscreen';
const PASSWORD_BYTES = 32;
const NAME_BYTES = 16;

export function makeCredentials(): Credentials {
  return { username: USERNAME, password: randomBytes(PASSWORD_BYTES).toString('base64url'), ownHost: `${randomBytes(NAME_BYTES).toString('hex')}.firstscreen.invalid` };
}

/** What a client says to use the proxy (RFC 7617, section 2). */
export function basicAuthorization({ username, password }: Pick<Credentials, 'username' | 'password'>): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/**
 * Whether a request may use the proxy (RFC 9110, section 11.7.2; Basic, RFC 7617). Every page can reach a port of this machine, so nothing is answered without.
 *
 * @param header Proxy-Authorization
 */
export function isAuthorized(header: string | undefined, credentials: Pick<Credentials, 'username' | 'password'>): boolean {
  const [scheme = '', given = ''] = (header ?? '').split(' ', 2);
  if (scheme.toLowerCase() !== 'basic') return false;
  // of equal length whatever was given, so that the time taken tells nothing
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', basicAuthorization(credentials).slice('Basic '.length), 'buffer'));
}
