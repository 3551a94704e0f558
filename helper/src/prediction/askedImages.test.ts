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
  }, { now: () => 1, isRelayed: (origin) => origin !== 'http://direct.test' });
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
  it('is asked for once, in the words of the browser: who draws with it is the referrer, a style sheet or the document', () => {
    visit('a { background: url(x.png) }', '<p style="background:url(/own.png)">', []);
    const images = ['http://a.test/css/x.png', 'http://a.test/own.png'];
    predictor.asking(images);
    expect(made()).toEqual([['http://a.test/css/x.png', SHEET], ['http://a.test/own.png', PAGE]]);
    ask('http://a.test/css/x.png', [...IMAGE, 'Referer', SHEET]);
    ask('http://a.test/own.png', [...IMAGE, 'Referer', PAGE]);
    predictor.asking(images);
    expect(asked).toHaveLength(2);
  });

  it('of a sheet that another one imports, too', () => {
    visit('@import url(http://b.test/more.css);');
    answers['http://b.test/more.css'] = { headers: ['Content-Type', 'text/css'], body: 'a { background: url(y.png) }' };
    ask('http://b.test/more.css', ['Accept', 'text/css,*/*;q=0.1', 'Referer', 'http://a.test/']);
    asked = [];
    predictor.asking(['http://b.test/y.png']);
    expect(made()).toEqual([['http://b.test/y.png', 'http://b.test/more.css']]);
  });

  it.each([
    ['a page of which the browser may have all', () => {
      visit('a { background: url(x.png) }');
      ask(PAGE, ['Upgrade-Insecure-Requests', '1', 'Accept', 'text/html,*/*;q=0.8']);
    }, 'http://a.test/css/x.png'],
    ['what is asked for as a CORS request', () => visit('a { mask: url(x.png) }'), 'http://a.test/css/x.png'],
    ['what scripts ask for', () => visit('a { background: url(x.png) }'), 'http://a.test/count.gif'],
    ['styles of a document whose elements have policies of their own', () => visit('', '<img src=http://a.test/1.png referrerpolicy=no-referrer><p style="background:url(/own.png)">'), 'http://a.test/own.png'],
    ['a server that the page has not asked', () => visit('a { background: url(//b.test/x.png) }'), 'http://b.test/x.png'],
    ['a server that no relay asks', () => {
      visit('a { background: url(//direct.test/x.png) }');
      ask('http://direct.test/1.png', [...IMAGE, 'Referer', 'http://a.test/']);
    }, 'http://direct.test/x.png'],
    ['nothing that is known', () => undefined, 'not a URL'],
  ])('is left to the browser: %s', (_, first, url) => {
    first();
    asked = [];
    predictor.asking([url]);
    expect(made()).toEqual([]);
  });
});
