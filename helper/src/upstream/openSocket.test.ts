import { once } from 'node:events';
import { createServer, Socket, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { attemptDelayMs } from '../../../shared/src/names/race.ts';
import { openTcp, type LinkView } from './openSocket.ts';

const LINK: LinkView = { rttMs: () => 0, roundTrip: () => undefined };
const ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '127.0.0.2', family: 4 },
] as const;

let server: Server;
let port: number;
let accepted: number;

beforeEach(async () => {
  accepted = 0;
  server = createServer(() => (accepted += 1)).listen(0, '0.0.0.0');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  vi.restoreAllMocks();
  server.close();
});

it('where the first segment of a handshake is lost the address is tried once more, long before TCP does', async () => {
  const lost: Socket[] = [];
  const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementationOnce(function (this: Socket) {
    lost.push(this);
    return this;
  });
  const beganMs = performance.now();
  const { socket, rttMs } = await openTcp(ADDRESSES.slice(0, 1), port, LINK);
  // of the attempt that came through, which began as much later; timers may be a millisecond early
  expect(rttMs).toBeLessThan(performance.now() - beganMs - attemptDelayMs(0) + 2);
  expect(connect).toHaveBeenCalledTimes(2);
  expect(lost.map(({ destroyed }) => destroyed)).toEqual([true]);
  await expect.poll(() => accepted).toBe(1);
  socket.destroy();
});

it('the other address comes before it', async () => {
  const asked: string[] = [];
  // eslint-disable-next-line @typescript-eslint/unbound-method
  const { connect } = Socket.prototype;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    const [[options]] = args as [[{ readonly host: string }]];
    asked.push(options.host);
    if (asked.length > 1) Reflect.apply(connect, this, args);
    return this;
  });
  const { socket, address } = await openTcp(ADDRESSES, port, LINK);
  socket.destroy();
  expect([address, asked.slice(0, 2)]).toEqual([ADDRESSES[1], ['127.0.0.1', '127.0.0.2']]);
});

it('one that refuses is asked once', async () => {
  server.close();
  const connect = vi.spyOn(Socket.prototype, 'connect');
  await expect(openTcp(ADDRESSES, port, LINK)).rejects.toMatchObject({ code: 'E_CONNECT' });
  expect(connect).toHaveBeenCalledTimes(ADDRESSES.length);
});
