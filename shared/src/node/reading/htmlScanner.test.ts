import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContentPolicies } from './contentPolicy.ts';
import { HtmlScanner, type Discovered } from './htmlScanner.ts';

const PAGE = { url: 'http://a.test/dir/page', isUtf8: true };
const scannerFor = (page = PAGE, policies: readonly string[] = []): HtmlScanner => new HtmlScanner({ ...page, policies: new ContentPolicies(page.url, policies) });
function scan(html: string, page = PAGE): Discovered[] {
  return scannerFor(page).write(html);
}
const urls = (html: string, page = PAGE): string[] => scan(html, page).map(({ url }) => url);

describe('HtmlScanner', () => {
  it('names what the browser will ask for, in the order of the document', () => {
    const html = `<!doctype html><html><head><base href="/b/"><link rel=stylesheet href="s.css?a=1&amp;b=2#x"><script src=//cdn.test/x.js crossorigin></script>
      <script type=module src=m.js></script><link rel=preload as=font crossorigin href=f.woff2></head><body background=bg.png><img src="i.jpg" referrerpolicy=no-referrer>`;
    expect(scan(html)).toEqual([
      { url: 'http://a.test/b/s.css?a=1&b=2', kind: 'style', mode: { credentials: 'include', cors: false }, isDeferred: false, referrerPolicy: null, isBehindImages: false },
      { url: 'http://cdn.test/x.js', kind: 'script', mode: { credentials: 'same-origin', cors: true }, isDeferred: false, referrerPolicy: null, isBehindImages: false },
      { url: 'http://a.test/b/m.js', kind: 'module', mode: { credentials: 'same-origin', cors: true }, isDeferred: true, referrerPolicy: null, isBehindImages: false },
      { url: 'http://a.test/b/f.woff2', kind: 'font', mode: { credentials: 'same-origin', cors: true }, isDeferred: false, referrerPolicy: null, isBehindImages: false },
      { url: 'http://a.test/b/bg.png', kind: 'image', mode: { credentials: 'include', cors: false }, isDeferred: false, referrerPolicy: null, isBehindImages: false },
      { url: 'http://a.test/b/i.jpg', kind: 'image', mode: { credentials: 'include', cors: false }, isDeferred: false, referrerPolicy: 'no-referrer', isBehindImages: true },
    ]);
  });

  it.each([
    ['the first base, from where it stands', '<img src=1><base target=x><base href=/x/><base href=/y/><img src=2>', ['http://a.test/dir/1', 'http://a.test/x/2']],
    ['no base of another kind', '<base href="data:,x"><base href=/y/><img src=2>', ['http://a.test/dir/2']],
    ['one request for what is named twice', '<img src=1><img src=1#x><link rel=stylesheet href=1>', ['http://a.test/dir/1']],
    ['no other schemes', '<img src="data:image/png,x"><img src="blob:x"><img src="javascript:1"><img src=ftp://a.test/><img src="http://["><img src="">', []],
    ['no credentials in URLs', '<img src=http://u:p@a.test/1>', []],
    ['no dangling markup', '<img src="http://b.test/?\n<p>x">', []],
    ['nothing of comments', '<!-- <img src=1> --><!--><img src=2><!-- --!><img src=3>', ['http://a.test/dir/2', 'http://a.test/dir/3']],
    ['nothing of raw text', '<script>"<img src=1>"</script><style><img src=2></style><textarea><img src=3></textarea><title><img src=4></title><xmp><img src=5></xmp><iframe><img src=6></iframe>', []],
    ['nothing of noscript, up to its first end', '<noscript><img src=1><noscript><img src=2></noscript><img src=3>', ['http://a.test/dir/3']],
    ['nothing of templates, nested ones too', '<template><template></template><img src=1></template><img src=2>', ['http://a.test/dir/2']],
    ['nothing of svg and math', '<svg><image href=1 /><style>x</style><title><img src=2></title></svg><math><img src=3></math><img src=4>', ['http://a.test/dir/4']],
    ['nothing of pictures with sources and of srcdoc', '<picture><source srcset=1><img src=2></picture><iframe srcdoc="<img src=3>"></iframe>', []],
    ['the image of a picture without sources', '<picture><source></picture><picture><img src=1><source></picture><img src=2>', ['http://a.test/dir/1', 'http://a.test/dir/2']],
    ['nothing behind a script that ends nobody knows where', '<script><!-- <script></script><img src=1>', []],
    ['all behind a script in a comment of old', '<script><!-- "<script>" //--></script><img src=1>', ['http://a.test/dir/1']],
    ['all behind a script with an empty comment', '<script><!--><script></script><img src=1>', ['http://a.test/dir/1']],
    ['all behind a script with another comment', '<script><!-- x</script><img src=1>', ['http://a.test/dir/1']],
    ['nothing that a policy forbids', '<img src=1><meta http-equiv=Content-Security-Policy content="frame-src *; IMG-SRC x"><img src=2>', ['http://a.test/dir/1']],
    ['all under a policy of something else', '<meta http-equiv=Content-Security-Policy content="frame-ancestors x"><img src=2>', ['http://a.test/dir/2']],
    ['nothing behind what has the browser say more of itself', '<img src=1><meta http-equiv=Accept-CH content="DPR, Width"><img src=2>', ['http://a.test/dir/1']],
    ['nothing behind what has it say so to others', '<img src=1><meta http-equiv=delegate-ch content="sec-ch-dpr https://b.test"><img src=http://b.test/2>', ['http://a.test/dir/1']],
    ['nothing of framesets', '<img src=1><frameset><img src=2>', ['http://a.test/dir/1']],
    ['the first body only', '<body><body background=1><img src=2>', ['http://a.test/dir/2']],
    ['imports of inline styles that have no condition', '<style>@import "1"; @import url(2) print; @import url(3) layer(x);</style><style media=print>@import "4";</style>', ['http://a.test/dir/1', 'http://a.test/dir/3']],
  ])('%s', (_, html, expected) => expect(urls(html)).toEqual(expected));

  it('a secure page asks for nothing in clear, but for its images by the secure scheme', () => {
    expect(urls('<script src=http://b.test/1></script><img src=http://b.test/2><img src=//b.test/3>', { ...PAGE, url: 'https://a.test/' })).toEqual(['https://b.test/2', 'https://b.test/3']);
  });

  it('a document under upgrade-insecure-requests is read, and asks by the secure scheme', () => {
    const scanner = scannerFor({ ...PAGE, url: 'https://a.test/' }, ['upgrade-insecure-requests']);
    expect(scanner.write('<script src=http://b.test/1></script><link rel=stylesheet href=s.css>').map(({ url }) => url)).toEqual(['https://b.test/1', 'https://a.test/s.css']);
  });

  it('a nonce allows the element that has it', () => {
    const scanner = scannerFor(PAGE, ["default-src 'none'; script-src 'nonce-n' 'strict-dynamic'"]);
    expect(scanner.write('<script src=1></script><script src=2 nonce=n></script><img src=3 nonce=n>').map(({ url }) => url)).toEqual(['http://a.test/dir/2']);
  });

  it('names nothing behind a policy in the body, which browsers ignore', () => {
    expect(urls('<body><meta http-equiv=content-security-policy content="frame-src *"><img src=1>')).toEqual([]);
  });

  it('names nothing behind a policy that is too long to be read', () => {
    expect(urls(`<meta http-equiv=content-security-policy content="img-src *;${'x'.repeat(20_000)};default-src 'none'"><script src=1></script>`)).toEqual([]);
  });

  it('a query that depends on the encoding is not certain', () => {
    const html = '<img src="ä?a"><img src="1?ä">';
    expect(urls(html, { ...PAGE, isUtf8: false })).toEqual(['http://a.test/dir/%C3%A4?a']);
    expect(urls(html)).toHaveLength(2);
  });

  it('a referrer policy of the document is told', () => {
    expect(scan('<meta name=referrer content=Origin><meta name=referrer content=new><img src=1><img src=2 referrerpolicy=unsafe-url><img src=3 referrerpolicy=new>').map(({ referrerPolicy }) => referrerPolicy)).toEqual(['origin', 'unsafe-url', 'origin']);
  });

  it('finds the same however the text is cut', () => {
    const pieces = [
      '<img src="a.png">', '<img src=b&amp;c>', '<img src="x&ampy=1&copy;&lt" alt=">">', '<IMG SRC=\'q"\' srcset>', '<link rel="stylesheet" href=s.css>', '<script src=s.js>', '<script><!--', '<SCRIPT ', '</script>', '<style>', '@import "i.css";',
      '.a{background:url(u.png)}', '</style>', '<!--', '-->', '--!>', '<!', '<?', '</', '<', '>', '&', '&am', 'p;', '"', '\'', '=', '/', ' ', '\r\n', '\n', '<svg>', '</svg>', '<title>', '</title>', '<textarea>', '</textarea>',
      '<noscript>', '</noscript>', '<template>', '</template>', '<picture>', '</picture>', '<base href="/b/">', '<plaintext>', '<![CDATA[', ']]>', '</sc', 'ript>', '😀', '\0', '<a b', '<img src=',
      '<meta name=referrer content=origin>', '<img\nsrc\n=\n"z">', `<img src="${'l'.repeat(3000)}&amp;">`, `<style>${'/*x*/'.repeat(500)}`,
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 20 }), fc.array(fc.nat(200), { maxLength: 40 }), (parts, lengths) => {
        const html = parts.join('');
        const [whole, cut] = [scannerFor(), scannerFor()];
        const expected = whole.write(html);
        const found: Discovered[] = [];
        let from = 0;
        for (const length of lengths) {
          found.push(...cut.write(html.slice(from, from + length)));
          from += length;
        }
        found.push(...cut.write(html.slice(from)));
        expect(found).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds the same when text comes one character at a time', () => {
    const html = `<p a="${'x'.repeat(40_000)}"><img alt="${'y'.repeat(20_000)}" src="a&amp;b"><style>@import "c";${'.a{}'.repeat(10_000)}@import "no";</style><img src=d>`;
    const [whole, cut] = [scannerFor(), scannerFor()];
    const expected = whole.write(html);
    expect(html.split('').flatMap((unit) => cut.write(unit))).toEqual(expected);
    expect(expected.map(({ url }) => url)).toEqual(['http://a.test/dir/a&b', 'http://a.test/dir/c', 'http://a.test/dir/d']);
  });

  it.each([
    ['a tag', '<img alt="', 'x'],
    ['a name', '<', 'x'],
    ['a comment', '<!--', '- '],
    ['a style', '<style>', 'a<'],
    ['attributes', '<img ', 'a=b '],
    ['start tags', '', '<b>'],
    ['end tags', '<b>'.repeat(1000), '</i>'],
    ['entities', '', '&amp'],
    ['brackets', '', '<'],
    ['URLs', '', '<img src=a><img src=b>'],
  ])('ten million characters of %s end the reading', (_, begin, repeated) => {
    const scanner = scannerFor();
    const chunk = repeated.repeat(Math.ceil(16_384 / repeated.length));
    scanner.write(begin);
    for (let chars = 0; chars < 10_000_000; chars += chunk.length) scanner.write(chunk);
    expect(scanner.write('"></style>--><img src=late>')).toEqual([]);
  });

  it('stops when it has found more than any page has', () => {
    expect(urls(Array.from({ length: 2_000 }, (_, i) => `<img src=${i}>`).join(''))).toHaveLength(1_000);
  });
});
