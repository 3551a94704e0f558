import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { expect, it } from 'vitest';
import { CarrierTransport } from './carrierTransport.ts';

const FRAME_BYTES = 1_024;
/** What a transport keeps, and the write that is more than that. */
const MAX_WRITES = 129;

it('a session whose client takes nothing is told that it writes, when enough is kept: it reads no more then', async () => {
  const taken: (() => void)[] = [];
  const socket = Object.assign(new Duplex({ read: () => undefined, write: (_chunk, _encoding, callback) => taken.push(callback) }), { setMaxSendFragment: () => true });
  const transport = new CarrierTransport(socket as unknown as TLSSocket, () => undefined, () => undefined);
  let done = 0;
  for (let n = 0; n < 2 * MAX_WRITES; n += 1) transport.write(Buffer.alloc(FRAME_BYTES), () => (done += 1));
  await new Promise((resolve) => setImmediate(resolve));
  expect([done, transport.isDrained]).toEqual([MAX_WRITES - 1, false]);
  transport.destroy();
});
