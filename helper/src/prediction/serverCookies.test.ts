import { expect, it } from 'vitest';
import { ServerCookies } from './serverCookies.ts';

const cookies = new ServerCookies();
cookies.answered('https://login.a.test', ['Set-Cookie', 'session=1; Domain=a.test; Path=/', 'set-cookie', 'bare; Secure', 'Content-Type', 'text/html']);

it.each([
  ['http://a.test', 'session', true],
  ['https://img.a.test:8443', 'session', true],
  ['https://a.test', 'bare', true],
  ['https://a.test', 'Session', false],
  ['https://a.test', 'Domain', false],
  ['https://b.test', 'session', false],
])('%s, %s: %s', (origin, name, isSet) => expect(cookies.has(origin, name)).toBe(isSet));
