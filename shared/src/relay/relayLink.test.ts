import { expect, it } from 'vitest';
import { parseRelayLink, relayLinkText, type RelayLink } from './relayLink.ts';

const TOKEN = `-${'a'.repeat(42)}`;

it.each<RelayLink>([
  { user: 'phone', token: TOKEN, host: 'relay.example.com', port: 8443 },
  { user: 'a.b-c_1', token: TOKEN, host: '[2001:db8::1]', port: 443 },
])('a link is what was written: %j', (link) => {
  expect(parseRelayLink(` ${relayLinkText(link)}\n`)).toEqual(link);
});

it.each([
  '', 'relay.example.com:8443', `https://phone:${TOKEN}@relay.example.com:8443`, `firstscreen-relay://phone@relay.example.com:8443`, `firstscreen-relay://phone:short@relay.example.com:8443`,
  `firstscreen-relay://phone:${TOKEN}@relay.example.com`, `firstscreen-relay://phone:${TOKEN}@localhost:8443`, `firstscreen-relay://phone:${TOKEN}@a.test;b.test:8443`,
  `firstscreen-relay://ph one:${TOKEN}@relay.example.com:8443`, `firstscreen-relay://phone:${TOKEN}@relay.example.com:8443/path`, `firstscreen-relay://phone:${TOKEN}@relay.example.com:99999`,
])('"%s" is none, and the error does not tell it', (text) => {
  expect(() => parseRelayLink(text)).toThrow(expect.objectContaining({ code: 'E_RELAY_LINK', message: 'This is no link of a relay.' }) as Error);
});
