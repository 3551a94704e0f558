import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { attemptTcp } from './attemptTcp.ts';

it('a connection that is silent is asked after as seldom as a browser asks, so that it outlasts a link that is away for some minutes', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { socket } = await attemptTcp({ address: '127.0.0.1', family: 4 }, (server.address() as AddressInfo).port, { allowHalfOpen: false }).result;
  // what the kernel was told can not be asked for, but for what Node knows of it
  const told = Object.getOwnPropertySymbols(socket).filter(({ description = '' }) => description.startsWith('kSetKeepAlive')).map((symbol): unknown => Reflect.get(socket, symbol));
  expect(told).toEqual([true, 45, 45, 9]);
  socket.destroy();
  server.close();
});
