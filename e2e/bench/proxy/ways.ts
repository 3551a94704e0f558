/** How a request gets to the server. */
export const WAYS = ['direct', 'firstscreen', 'firstscreen-conv', 'mitmproxy', 'mitmproxy-stream', 'mockttp'] as const;
export type Way = (typeof WAYS)[number];
export type ProxyWay = Exclude<Way, 'direct'>;

/** What small requests differ in: how many at once, and what the proxy takes them for (it may collect images for some milliseconds to order them). */
export interface SmallKind {
  readonly name: string;
  readonly connections: number;
  readonly accept: string;
  readonly ways: readonly Way[];
}

/** As many as browsers open to a host over HTTP/1.1. */
const BROWSER_CONNECTIONS = 6;
const ANYTHING = '*/*';
const IMAGE = 'image/avif,image/webp,*/*;q=0.8';
/** Its streaming setting changes nothing for small answers. */
const SMALL_WAYS: readonly Way[] = ['direct', 'firstscreen', 'firstscreen-conv', 'mitmproxy', 'mockttp'];
const OUR_WAYS: readonly Way[] = ['direct', 'firstscreen', 'firstscreen-conv'];

export const SMALL_KINDS: readonly SmallKind[] = [
  { name: '1 connection', connections: 1, accept: ANYTHING, ways: SMALL_WAYS },
  { name: `${BROWSER_CONNECTIONS} connections`, connections: BROWSER_CONNECTIONS, accept: ANYTHING, ways: SMALL_WAYS },
  { name: '1 connection, images', connections: 1, accept: IMAGE, ways: OUR_WAYS },
  { name: `${BROWSER_CONNECTIONS} connections, images`, connections: BROWSER_CONNECTIONS, accept: IMAGE, ways: OUR_WAYS },
];

/** What each way is, for who reads the table. */
export const WAY_NOTES: Readonly<Record<Way, string>> = {
  direct: 'no proxy',
  firstscreen: 'our helper, as built',
  'firstscreen-conv': 'the same, every part of the scheduler off',
  mitmproxy: 'mitmdump as it comes: it keeps a whole answer before it passes it on',
  'mitmproxy-stream': 'mitmdump with `stream_large_bodies=1m`',
  mockttp: '`forAnyRequest().thenPassThrough()`, traffic not recorded',
};
