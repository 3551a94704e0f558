import { expect, it } from 'vitest';
import { givenSockets } from './givenSockets.ts';

it.each([
  ['one for this process', { LISTEN_PID: '7', LISTEN_FDS: '1' }, 3, null],
  ['one for another process', { LISTEN_PID: '8', LISTEN_FDS: '1' }, null, null],
  ['a second one, for browsers', { LISTEN_PID: '7', LISTEN_FDS: '2' }, 3, 4],
  ['more than it knows', { LISTEN_PID: '7', LISTEN_FDS: '3' }, null, null],
  ['none', { LISTEN_PID: '7', LISTEN_FDS: '0' }, null, null],
  ['no word of any', {}, null, null],
])('of %s', (_case, env, carrier, proxy) => {
  expect(givenSockets(env, 7)).toEqual({ carrier, proxy });
});
