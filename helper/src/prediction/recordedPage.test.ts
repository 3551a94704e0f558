import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { testPredictor, UNHELD } from '../testing/testPredictor.ts';
import { requestTo, sinkOf } from '../testing/testUpstream.ts';
import type { Fetch, ResponseSink, UpstreamRequest } from '../upstream/fetch.ts';
import { ObjectRanks } from './objectRanks.ts';

const CHROMIUM = [
  'User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36', 'sec-ch-ua', '"Chromium";v="156"', 'Upgrade-Insecure-Requests', '1',
  'Accept', 'text/html,image/avif,image/webp,image/apng,*/*;q=0.8', 'Sec-Fetch-Site', 'none', 'Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-Dest', 'document', 'Accept-Encoding', 'gzip, deflate, br, zstd',
];
const UPGRADING = ['Content-Type', 'text/html; charset=utf-8', 'Content-Security-Policy', 'upgrade-insecure-requests'];

/** URLs that a first visit to a page foresees. */
function foreseenOf(url: string, headers: RawHeaders, html: Buffer): string[] {
  const asked: string[] = [];
  const fetch = ({ origin, path, isForeseen }: UpstreamRequest, sink: ResponseSink): Fetch => {
    if (!isForeseen) {
      sink.started(200, 'OK', headers);
      void sink.data(html);
      sink.ended([]);
    } else asked.push(`${origin}${path}`);
    return UNHELD;
  };
  const ranks = new ObjectRanks();
  const predictor = testPredictor(fetch, { ranks, bdpBytes: () => 0 });
  const { origin, pathname, host } = new URL(url);
  const navigation = ['Host', host, ...CHROMIUM];
  predictor.fetch(requestTo(origin, { path: pathname, headers: navigation, ...ranks.describe(url, navigation) }), sinkOf());
  predictor.close();
  return asked;
}

it('a page of https: under upgrade-insecure-requests is foreseen, all of it by https:', () => {
  const html = '<link rel=stylesheet href=s.css><style>@import "http://a.test/i.css";</style><script src=http://a.test/x.js></script><img src=http://a.test/i.png><img src=http://tracker.test/t.gif>';
  expect(foreseenOf('https://a.test/', UPGRADING, Buffer.from(html))).toEqual(['https://a.test/s.css', 'https://a.test/i.css', 'https://a.test/x.js', 'https://a.test/i.png']);
});

/** Pages as their owners deploy them; they stay theirs, so they are on machines of the project only. */
const RECORDED = '/work/shared/pages/modern';
it.for(['agency', 'numpy', 'datatoviz', 'jasper2', 'dh2020'])('%s, as recorded, is foreseen over https: as the test bed serves it', (name, context) => {
  const file = `${RECORDED}/${name}.warc.gz`;
  if (!existsSync(file)) context.skip(`needs ${file}`);
  const { url, html } = firstResponse(gunzipSync(readFileSync(file)));
  const foreseen = foreseenOf(url, UPGRADING, html);
  expect(foreseen.length).toBeGreaterThan(3);
  for (const each of foreseen) expect(new URL(each).origin).toBe(new URL(url).origin);
});

/** The entry page of a WARC (ISO 28500): its first response record, uncoded. */
function firstResponse(warc: Buffer): { readonly url: string; readonly html: Buffer } {
  const at = warc.indexOf('WARC-Type: response');
  const httpAt = warc.indexOf('\r\n\r\n', at) + 4;
  const bodyAt = warc.indexOf('\r\n\r\n', httpAt) + 4;
  const fields = warc.subarray(at, httpAt).toString('latin1');
  const length = Number(/Content-Length: (\d+)/.exec(fields)?.[1]);
  return { url: /WARC-Target-URI: (\S+)/.exec(fields)?.[1] ?? '', html: warc.subarray(bodyAt, httpAt + length) };
}
