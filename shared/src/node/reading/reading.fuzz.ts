import { CharsetDecoder } from './charsets.ts';
import { DecodedPeek } from './contentDecoding.ts';
import { ContentPolicies } from './contentPolicy.ts';
import { HtmlScanner } from './htmlScanner.ts';
import { sheetImports } from './sheetImports.ts';

const PAGE = 'https://a.test/dir/page';
const MAX_DECODED_BYTES = 1024 * 1024;
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

function isHttpUrl(url: string): boolean {
  return /^https?:$/.test(new URL(url).protocol);
}

function assert(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(what);
}

function runHtml(bytes: Uint8Array): void {
  const html = text(bytes);
  const found = [html.length, 7].map((size) => {
    const scanner = new HtmlScanner({ url: PAGE, isUtf8: true, policies: new ContentPolicies(PAGE) });
    const urls: string[] = [];
    // long inputs are not cut so finely
    const step = Math.max(1, Math.min(size, html.length), Math.ceil(html.length / 5_000));
    for (let at = 0; at < html.length; at += step) urls.push(...scanner.write(html.slice(at, at + step)).map(({ url }) => url));
    return urls;
  });
  assert(found[0]?.join(' ') === found[1]?.join(' '), 'cut text is read differently');
  assert(found[0]?.every((url) => isHttpUrl(url) && url.startsWith('https:')) === true, 'a secure page asks in clear');
}

function runCss(bytes: Uint8Array): void {
  const css = text(bytes);
  let read = 0;
  const imports = sheetImports(css, PAGE, (chars) => (read = chars));
  assert(read <= css.length, `${read} characters read of ${css.length}`);
  assert(imports.every(isHttpUrl), 'an URL of another scheme');
}

function runCharset(bytes: Uint8Array): void {
  for (const kind of ['html', 'css'] as const) {
    const decoder = new CharsetDecoder(kind, text(bytes.subarray(0, 100)));
    decoder.write(Buffer.from(bytes));
    decoder.end();
    assert(decoder.encoding !== null, 'no encoding at the end');
  }
}

async function runCoding(bytes: Uint8Array): Promise<void> {
  for (const coding of ['gzip', 'deflate', 'br', 'zstd', 'identity', 'x']) {
    let decoded = 0;
    await new Promise<void>((resolve) => {
      const peek = new DecodedPeek(coding, { data: (chunk) => (decoded += chunk.length), ended: () => resolve() }, { decodedBytes: MAX_DECODED_BYTES, waitingBytes: MAX_DECODED_BYTES });
      peek.write(Buffer.from(bytes));
      peek.end();
    });
    assert(decoded <= MAX_DECODED_BYTES, 'more decoded than is allowed');
  }
}

function runPolicy(bytes: Uint8Array): void {
  const policies = new ContentPolicies(PAGE, [text(bytes)]);
  for (const kind of ['script', 'style', 'image', 'font', 'module'] as const) {
    const url = policies.upgraded('http://b.test/x', kind);
    if (url !== null) policies.allows({ url, kind, nonce: 'n' });
  }
}

export const targets = [
  {
    name: 'html',
    pieces: ['<', '>', '</', '<!--', '-->', '<!', '<?', '<script>', '</script>', '<style>', '</style>', '<img src=', '<img src="', '"', "'", '=', ' ', '/', '&amp;', '&', '&#x', '<svg>', '</svg>', '<template>', '<noscript>', '<picture>', '<source>', '<base href=', '<meta http-equiv=content-security-policy content="', "img-src 'self'", 'a', 'class="a b"', 'http://b.test/', 'url(x)', '\0', '<![CDATA[', ']]>', '<body>', '<link rel=stylesheet href=', '<frameset>'],
    run: runHtml,
  },
  {
    name: 'css',
    pieces: ['{', '}', '(', ')', ';', ',', '"', "'", '\\', '\n', '/*', '*/', '<!--', '-->', 'url(', 'src(', '@import ', '@layer x', '@charset "', 'a', ' ', 'screen', 'layer(x)', 'supports(', '"a.css"', '\0'],
    run: runCss,
  },
  { name: 'charset', pieces: ['<meta ', 'charset=', 'utf-8', '"', ';', '@charset "', '<!--', '-->', 'content=', '\xef\xbb\xbf', ' ', '>', 'text/html; charset=', 'gbk', 'utf-16'], run: runCharset },
  { name: 'coding', pieces: ['\x1f\x8b\x08', '\x78\x9c', '\x28\xb5\x2f\xfd', '\0', '\xff', 'x'], run: runCoding },
  { name: 'csp', pieces: ['default-src ', 'img-src ', 'script-src ', "'self'", "'none'", "'nonce-", "'strict-dynamic'", '*', '*.', 'b.test', ':*', ':443', '://', 'https:', '/', '%', ';', ',', ' ', 'upgrade-insecure-requests', 'sandbox'], run: runPolicy },
];
