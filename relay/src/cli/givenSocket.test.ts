import { expect, it } from 'vitest';
import { givenSocket } from './givenSocket.ts';

it.each([
  ['one for this process', { LISTEN_PID: '7', LISTEN_FDS: '1' }, 3],
  ['one for another process', { LISTEN_PID: '8', LISTEN_FDS: '1' }, null],
  ['several', { LISTEN_PID: '7', LISTEN_FDS: '2' }, null],
  ['none', { LISTEN_PID: '7', LISTEN_FDS: '0' }, null],
  ['no word of any', {}, null],
])('of %s', (_case, env, fd) => {
  expect(givenSocket(env, 7)).toBe(fd);
});
