import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { NO_CORS } from '../../../shared/src/node/reading/elementFetches.ts';
import { predictedHeaders, type Navigation } from '../../../shared/src/node/foresight/predictedHeaders.ts';

/** As a page has them: what the helper does for many objects and connections at once is to be compiled, too. */
const IMAGES = 60;
const SHEET = Array.from({ length: 100 }, (_, n) => `.x p.y${n}, #a { color: #fff; margin: 1px } .y > a { background: url("${n % 20}.png") no-repeat }`).join('\n');
const PICTURE = Buffer.alloc(3_000);
/** As a browser asks for a document, as far as it matters to what is foreseen; of a secure origin with what it is for. */
const NAVIGATION = ['User-Agent', 'Mozilla/5.0 Chrome/156.0.0.0', 'Upgrade-Insecure-Requests', '1', 'Accept', 'text/html,image/webp,*/*;q=0.8', 'Accept-Encoding', 'gzip'];
const SECURE_NAVIGATION = ['Sec-Fetch-Site', 'none', 'Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-User', '?1', 'Sec-Fetch-Dest', 'document'];

/** A page of the rehearsal. */
export interface RehearsedPage {
  readonly url: string;
  readonly navigation: Navigation;
  readonly document: string;
  /** What a browser asks for when it has the document: URLs and fields. */
  readonly requests: () => (readonly [url: string, fields: readonly string[]])[];
}

/** @param path ends with a slash @param origins of its objects; the first one is its own */
export function rehearsedPage(path: string, origins: readonly string[]): RehearsedPage {
  const [origin = ''] = origins;
  const url = `${origin}${path}`;
  const navigation = { url, request: ['Host', new URL(origin).host, ...NAVIGATION, ...(origin.startsWith('https:') ? SECURE_NAVIGATION : [])], answer: [] };
  const files = ['a.css', 'b.css', 'a.js', 'b.js', ...Array.from({ length: IMAGES }, (_, n) => `${n}.png`)];
  const objects = files.map((file, n) => ({
    url: `${origins[file.endsWith('.png') ? n % origins.length : 0] ?? ''}${path}${file}`,
    kind: file.endsWith('.png') ? ('image' as const) : file.endsWith('.css') ? ('style' as const) : ('script' as const),
  }));
  const elements = objects.map((object) => {
    if (object.kind === 'style') return `<link rel=stylesheet href="${object.url}">`;
    if (object.kind === 'script') return `<script src="${object.url}"></script>`;
    return `<p class="x y">Text &amp; <a href="/next?a=1">more</a><img src="${object.url}" alt=""><script>let a = "<b>"</script>`;
  });
  return {
    url,
    navigation,
    document: `<!doctype html><html><head><meta charset=utf-8><title>Rehearsal</title><style>p{margin:0}</style></head><body class=x>${elements.join('\n')}</body></html>`,
    requests: () => objects.map((object) => [object.url, predictedHeaders(navigation, { ...object, mode: NO_CORS, referrer: url, referrerPolicy: null }, Date.now()) ?? []]),
  };
}

/** Answers for a server of the rehearsal, whatever version of HTTP it speaks. */
export function answerRehearsal(path: string, origins: readonly string[], response: Pick<ServerResponse, 'writeHead' | 'end'>): void {
  const answer = (type: string, body: string | Buffer, fields: Readonly<Record<string, string | number>> = {}): void => {
    response.writeHead(200, { 'content-type': type, ...fields });
    response.end(body);
  };
  if (path.endsWith('/')) answer('text/html', gzipSync(rehearsedPage(path, origins).document), { 'content-encoding': 'gzip' });
  else if (path.endsWith('.png')) answer('image/png', PICTURE, { 'content-length': PICTURE.length, 'cache-control': 'max-age=60' });
  else answer(path.endsWith('.css') ? 'text/css' : 'text/plain', SHEET);
}
