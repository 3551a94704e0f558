import { beforeEach, describe, expect, it } from 'vitest';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { testPredictor, UNHELD } from '../testing/testPredictor.ts';
import { requestTo, sinkOf } from '../testing/testUpstream.ts';
import type { UpstreamRequest } from '../upstream/fetch.ts';
import type { Predictor } from './predictor.ts';

const PAGE = 'http://a.test/page?q=1';
const AGENT = ['User-Agent', 'Mozilla/5.0 Chrome/156.0.0.0', 'Accept-Encoding', 'gzip'];
const SHEET = 'http://a.test/css/s.css';

let asked: UpstreamRequest[];
let predictor: Predictor;
let answers: Record<string, { readonly headers: RawHeaders; readonly body: string }>;

beforeEach(() => {
  asked = [];
  answers = {};
  predictor = testPredictor((request, sink) => {
    asked.push(request);
    const { headers, body } = answers[`${request.origin}${request.path}`] ?? { headers: ['Content-Type', 'image/png', 'Cache-Control', 'max-age=60'], body: '' };
    sink.started(200, '', headers);
    void sink.data(Buffer.from(body));
    sink.ended([]);
    return UNHELD;
  }, { now: () => 1 });
});

function ask(url: string, fields: RawHeaders): void {
  const { origin, host, pathname, search } = new URL(url);
  predictor.fetch(requestTo(origin, { path: `${pathname}${search}`, headers: ['Host', host, ...AGENT, ...fields] }), sinkOf());
}

function visit(css = '', html = '', answer: RawHeaders = []): void {
  answers[PAGE] = { headers: ['Content-Type', 'text/html; charset=utf-8', ...answer], body: html };
  ask(PAGE, ['Upgrade-Insecure-Requests', '1', 'Accept', 'text/html,*/*;q=0.8']);
  askSheet(css);
  asked = [];
}

function askSheet(css: string): void {
  answers[SHEET] = { headers: ['Content-Type', 'text/css'], body: css };
  ask(SHEET, ['Accept', 'text/css,*/*;q=0.1', 'Referer', PAGE]);
}

const IMAGE = ['Accept', 'image/svg+xml,image/*,*/*;q=0.8'];
const made = (): [string, string | undefined][] => asked.map(({ origin, path, headers }) => [`${origin}${path}`, headers[headers.indexOf('Referer') + 1]]);

describe('what a page is about to ask for', () => {
  it('is asked for once, in the words of the browser: a style sheet is the referrer of what it draws with, else the document', () => {
    visit('a { background: url(x.png) }');
    predictor.asking(PAGE, ['http://a.test/css/x.png', 'http://a.test/script.png']);
    expect(made()).toEqual([['http://a.test/css/x.png', SHEET], ['http://a.test/script.png', PAGE]]);
    ask('http://a.test/css/x.png', [...IMAGE, 'Referer', SHEET]);
    ask('http://a.test/script.png', [...IMAGE, 'Referer', PAGE]);
    predictor.asking(PAGE, ['http://a.test/css/x.png', 'http://a.test/script.png']);
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['of which the browser may have all', () => visit('a { background: url(x.png) }'), () => ask(PAGE, ['Upgrade-Insecure-Requests', '1', 'Accept', 'text/html,*/*;q=0.8'])],
    ['that is asked for as a CORS request', () => visit('a { mask: url(x.png) }'), () => undefined],
    ['whose document has another address by now', () => visit(), () => undefined, 'http://a.test/other'],
    ['whose elements have policies of their own', () => visit('', '<img src=http://a.test/1.png referrerpolicy=no-referrer>'), () => undefined],
    ['of a server that the page has not asked', () => visit('a { background: url(//b.test/x.png) }'), () => undefined, PAGE, 'http://b.test/x.png'],
  ] as const)('is left to the browser where nobody knows how: a page %s', (_, first, then, page = PAGE, url = 'http://a.test/css/x.png') => {
    first();
    then();
    asked = [];
    predictor.asking(page, [url]);
    expect(made()).toEqual([]);
  });

  it('nothing is made of a page that is not known', () => {
    predictor.asking(PAGE, ['http://a.test/css/x.png']);
    predictor.asking('about:blank', ['not a URL']);
    expect(made()).toEqual([]);
  });
});
