import { FirstscreenError } from '../../../shared/src/errors.ts';
import { USUAL_PORTS, parseAuthority, type Destination } from '../../../shared/src/names/authority.ts';

export interface RequestTarget extends Destination {
  /** As a Client of undici wants it: scheme, host, port. */
  readonly origin: string;
  /** Path with query. */
  readonly path: string;
}

/**
 * The target of a request to a proxy in absolute form (RFC 9112, section 3.2.2). Only http: comes so; https: comes as CONNECT.
 *
 * @throws FirstscreenError E_PROXY_TARGET
 */
export function parseAbsoluteForm(target: string): RequestTarget {
  const url = /^http:\/\//i.test(target) && URL.canParse(target) ? new URL(target) : null;
  if (url === null || url.username !== '' || url.password !== '') throw badTarget('http://HOST/PATH');
  const path = target.replace(/^http:\/\/[^/?#]*/i, '').split('#', 1)[0] ?? '';
  return {
    ...destinationOf(url.origin),
    origin: url.origin,
    // as it was sent: a server may tell apart what a URL parser takes for the same
    path: path.startsWith('/') ? path : `/${path}`,
  };
}

/**
 * The target of CONNECT in authority form (RFC 9112, section 3.2.3): `HOST:PORT`.
 *
 * @throws FirstscreenError E_PROXY_TARGET
 */
export function parseAuthorityForm(target: string): Destination {
  const destination = parseAuthority(target);
  if (destination === null) throw badTarget('HOST:PORT');
  return destination;
}

/** Where an origin's server is. */
export function destinationOf(origin: string): Destination {
  const { protocol, hostname: host, port } = new URL(origin);
  return { host, port: Number(port || USUAL_PORTS[protocol]) };
}

/** The origin of https: there: what a CONNECT is mostly for. */
export function secureOriginOf({ host, port }: Destination): string {
  return new URL(`https://${host}:${port}`).origin;
}

/** The target itself is not told: it may hold what a page knows. */
function badTarget(form: string): FirstscreenError {
  return new FirstscreenError('E_PROXY_TARGET', `The request does not name its target as ${form}.`, 'Use this port as an HTTP proxy.');
}
