import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { carriers, connectionsTo } from './carriers.ts';

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100630A:9C41 0200630A:1F90 01 00000000:00000000 00:00000000 00000000     0        0 4711 1
   1: 0100630A:9C42 0200630A:1F90 02 00000000:00000000 00:00000000 00000000     0        0 4712 1
   2: 0100630A:9C43 03016414:01BB 01 00000000:00000000 00:00000000 00000000     0        0 4713 1
`;

it('finds the connections to an address, and none that is only begun', () => {
  expect([...connectionsTo('10.99.0.2', TABLE)]).toEqual(['0100630A:9C41']);
  expect([...connectionsTo('20.100.1.3', TABLE)]).toEqual(['0100630A:9C43']);
  expect([...connectionsTo('10.99.0.3', TABLE)]).toEqual([]);
});

it('finds a connection of this machine', async () => {
  const server = await listenLocally(createServer(), '127.0.0.9');
  const before = await carriers('127.0.0.9');
  const socket = connect(portOf(server), '127.0.0.9');
  await once(socket, 'connect');
  const now = await carriers('127.0.0.9');
  expect([before.size, now.size]).toEqual([0, 1]);
  socket.destroy();
  server.close();
});
