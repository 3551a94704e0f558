import { expect, it } from 'vitest';
import { requestWays } from '../../../../shared/src/requests/requestWays.ts';
import { relayedOf } from './relayed.ts';
import { START_MS, testWay } from './testing.ts';

it('counts what went by a relay, by what that does for it, and nothing that went directly', () => {
  const uses = ['requests', 'tunnel', 'requests', null] as const;
  const made = uses.flatMap((relay, connection) => [
    { type: 'connecting', atMs: START_MS, connection, origin: 'https://a.test' } as const,
    { type: 'connected', atMs: START_MS + 1, connection, isMultiplexed: true, ...(relay !== null && { relay }) } as const,
  ]);
  const sent = uses.flatMap((_, id) => testWay(id, `https://a.test/${id}`, 5, 90, id));
  const { requests, connections } = requestWays([...made, ...sent]);
  expect(relayedOf([...requests.map((way) => ({ way })), { way: null }], connections)).toEqual({ tunnel: 1, requests: 2 });
});
