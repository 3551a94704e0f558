import { parseStrictTransport } from './askedOrigins.ts';
import { freshForMs } from './freshness.ts';
import { cookieAfter } from '../../../shared/src/node/foresight/predictedCookies.ts';
import { suits } from './requestMatch.ts';

const lines = (bytes: Uint8Array): string[] => Buffer.from(bytes).toString('latin1').split('\n');

function runHeaders(bytes: Uint8Array): void {
  const [control = '', vary = '', date = '', cookie = '', ...others] = lines(bytes);
  const response = ['Cache-Control', control, 'Vary', vary, 'Date', date, 'Expires', date, 'Age', control, 'Set-Cookie', cookie, ...others.flatMap((value) => ['Cache-Control', value])];
  const freshMs = freshForMs(200, response);
  if (freshMs !== null && !(freshMs >= 0)) throw new Error(`fresh for ${freshMs} ms`);
  suits({ status: 200, headers: response }, ['Cookie', cookie], ['Cookie', control]);
}

export const targets = [
  { name: 'hsts', pieces: ['max-age', '=', '31536000', '0', '"', ';', ' ', 'includeSubDomains', 'preload', ','], run: (bytes: Uint8Array): void => void parseStrictTransport(lines(bytes)[0]) },
  { name: 'cookies', pieces: ['a=1', ';', ' ', 'Path=/', 'Secure', 'SameSite=', 'None', 'Max-Age=', '0', 'Expires=', '__Host-', 'Domain=', '.a.test', '\n', '='], run: (bytes: Uint8Array): void => void cookieAfter('a=1; b=2', lines(bytes), new URL('https://www.a.test/'), false, 0) },
  { name: 'caching', pieces: ['max-age=', '60', 'public', 'private', 'immutable', 'no-store', ',', '"', '=', '*', 'Cookie', '\n', '__proto__', 'Thu, 01 Jan 1970 00:00:00 GMT'], run: runHeaders },
];
