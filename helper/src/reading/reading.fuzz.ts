import { CharsetDecoder } from './charsets.ts';
import { DecodedPeek } from './contentDecoding.ts';
import { ContentPolicies } from './contentPolicy.ts';
import { scanStyleSheet } from './cssScanner.ts';
import { HtmlScanner } from './htmlScanner.ts';
import { withoutPlainBlocks } from './plainBlocks.ts';
import { StyleImages } from './styleImages.ts';

const PAGE = 'https://a.test/dir/page';
const SHEET = { url: 'https://a.test/s.css', referrerPolicy: null, index: null };
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
    const styles = new StyleImages();
    const scanner = new HtmlScanner({ url: PAGE, isUtf8: true, policies: new ContentPolicies(PAGE) }, styles);
    const urls: string[] = [];
    // long inputs are not cut so finely
    const step = Math.max(1, Math.min(size, html.length), Math.ceil(html.length / 5_000));
    for (let at = 0; at < html.length; at += step) urls.push(...scanner.write(html.slice(at, at + step)).map(({ url }) => url));
    return [...urls, ...styles.take().map(({ url }) => url)];
  });
  assert(found[0]?.join(' ') === found[1]?.join(' '), 'cut text is read differently');
  assert(found[0]?.every((url) => isHttpUrl(url) && url.startsWith('https:')) === true, 'a secure page asks in clear');
}

function runCss(bytes: Uint8Array): void {
  const css = text(bytes);
  let looked = 0;
  withoutPlainBlocks(css, (chars) => (looked = chars));
  assert(looked <= css.length + 1, `${looked} characters looked at of ${css.length}`);
  const scan = scanStyleSheet(css, SHEET.url);
  assert([...scan.imports, ...scan.backgrounds.flatMap(({ urls }) => urls)].every(isHttpUrl), 'an URL of another scheme');
  const styles = new StyleImages();
  styles.sheet(scan, SHEET);
  for (const name of ['a', 'b', 'c']) styles.element({ name, attributes: new Map([['class', name]]) });
  styles.take();
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
    pieces: ['{', '}', '(', ')', '[', ']', ';', ':', ',', '"', "'", '\\', '\n', '/*', '*/', '<!--', '-->', 'url(', 'src(', '@import ', '@media ', '@layer x', '@font-face', 'a', '&', '.b', '#c', '--x', '!important', 'background', 'screen', 'url(x)', ':is(', '\0', '@charset "', 'background:url(x);'],
    run: runCss,
  },
  { name: 'charset', pieces: ['<meta ', 'charset=', 'utf-8', '"', ';', '@charset "', '<!--', '-->', 'content=', '\xef\xbb\xbf', ' ', '>', 'text/html; charset=', 'gbk', 'utf-16'], run: runCharset },
  { name: 'coding', pieces: ['\x1f\x8b\x08', '\x78\x9c', '\x28\xb5\x2f\xfd', '\0', '\xff', 'x'], run: runCoding },
  { name: 'csp', pieces: ['default-src ', 'img-src ', 'script-src ', "'self'", "'none'", "'nonce-", "'strict-dynamic'", '*', '*.', 'b.test', ':*', ':443', '://', 'https:', '/', '%', ';', ',', ' ', 'upgrade-insecure-requests', 'sandbox'], run: runPolicy },
];
