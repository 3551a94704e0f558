import { expect, it } from 'vitest';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { BegunAnswer } from '../upstream/begunAnswer.ts';
import type { UpstreamConnection } from '../upstream/connection.ts';
import type { UpstreamRequest } from '../upstream/fetch.ts';
import { RestOfAnswer } from './restOfAnswer.ts';

const NOTHING = (): void => undefined;
const REQUEST: UpstreamRequest = { method: 'GET', origin: 'http://192.0.2.1', path: '/', headers: ['Host', 'a.test'], body: null, browser: null, fetchClass: FetchClass.layout, index: 0, bytes: 0, isForeseen: false };

/** Of which nothing is asked for. */
function refusing(onDestroy: () => void): UpstreamConnection {
  const connection: Partial<UpstreamConnection> = {
    origin: REQUEST.origin, receivedBytes: 0, isReused: false, destroy: onDestroy,
    send: () => {
      throw new Error('a defect');
    },
  };
  return connection as UpstreamConnection;
}

it.each<[string, (onDestroy: () => void) => Promise<UpstreamConnection>, number]>([
  ['can not be made', () => Promise.reject(new Error('nobody is there')), 0],
  ['does not take the request', (onDestroy) => Promise.resolve(refusing(onDestroy)), 1],
])('where a connection %s, the answer has ended early, and nothing is left open', async (_, open, destroyed) => {
  let count = 0;
  const ended = Promise.withResolvers<boolean>();
  const begun = new BegunAnswer({ informed: NOTHING, started: NOTHING, data: () => null });
  new RestOfAnswer(REQUEST, begun, () => open(() => (count += 1)), ended.resolve);
  expect([await ended.promise, count]).toEqual([false, destroyed]);
});
