import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { NOTHING_EXPECTED } from '../../../shared/src/memory/neededObject.ts';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { ALL_PARTS } from '../parts.ts';
import { ObjectRanks } from '../prediction/objectRanks.ts';
import { basicAuthorization } from '../proxy/credentials.ts';
import { ProxyService, type ProxyServiceOptions } from '../proxy/proxyService.ts';

/** What Chromium sends with a document over http: (the Host is that of the request). */
export const PAGE_FIELDS = [
  'Upgrade-Insecure-Requests', '1',
  'User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
  'Accept-Encoding', 'gzip, deflate',
  'Accept-Language', 'en-US,en;q=0.9',
];

/** The proxy with all parts, to which every address is public, and on a link on which it is worth foreseeing. */
export function startTestService(options: Partial<ProxyServiceOptions> = {}): Promise<ProxyService> {
  return ProxyService.start({
    parts: ALL_PARTS, isPublic: () => true, ranks: new ObjectRanks(), profile: 'p', expected: () => NOTHING_EXPECTED, addressOf: () => null, linkChanged: () => undefined, doesPay: () => true, leave: () => Promise.resolve(false), spoolDirectory: temporaryDirectory(), trust: null, log: () => undefined, ...options,
  });
}

/** Asks as a browser does whose proxy it is. @param fields of which the Host is not taken */
export async function askService({ port, credentials }: ProxyService, url: string, fields: readonly string[], method = 'GET'): Promise<{ readonly status: number; readonly body: string }> {
  const headers = ['Host', new URL(url).host, ...fields.filter((_, place) => fields[place - (place % 2)]?.toLowerCase() !== 'host'), 'Proxy-Authorization', basicAuthorization(credentials)];
  const [response] = (await once(httpRequest({ host: '127.0.0.1', port, method, path: url, headers }).end(), 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response) };
}
