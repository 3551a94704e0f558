import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { listening } from './listening.ts';

it('a server that could not take a connection says so, and takes the next', async () => {
  const server = createServer((socket) => socket.end());
  const lost: Error[] = [];
  const { port } = await listening(server, { port: 0, host: '127.0.0.1' }, (error) => lost.push(error));
  // as Node tells it of accept
  const failure = Object.assign(new Error('accept ENOMEM'), { code: 'ENOMEM' });
  server.emit('error', failure);
  expect(lost).toEqual([failure]);
  const socket: Socket = connect(port, '127.0.0.1');
  await once(socket.resume(), 'close');
  server.close();
});

it('what keeps a server from listening is told', async () => {
  const [one, other] = [createServer(), createServer()];
  const { port } = await listening(one, { port: 0, host: '127.0.0.1' });
  await expect(listening(other, { port, host: '127.0.0.1' })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  one.close();
});
