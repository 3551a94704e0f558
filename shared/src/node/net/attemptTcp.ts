import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Address } from '../../names/address.ts';
import type { Attempt } from '../../names/race.ts';

/**
 * As Chromium has it (net/socket: kTCPKeepAliveSeconds) and Linux by default: routers on the way remember a connection that is silent, one whose server has gone is noticed, and a link may be away for some
 * minutes. Node by itself asks each second, and gives a connection up for which the link was away for a minute.
 */
const KEEP_ALIVE_MS = 45_000;
const KEEP_ALIVE_PROBES = 9;
/** What nobody takes stays in the kernel, so that the server stops, and does not fill a buffer of Node's as well: Node reads 64 kB at once, and no more while as much as this is left of them. */
export const READ_AHEAD_BYTES = 1_024;
/** Of a stream's options the types know none. */
const BUFFERS = { readableHighWaterMark: READ_AHEAD_BYTES };

export interface TcpOptions {
  /** Whether a direction that has ended leaves the other open, as for a tunnel. */
  readonly allowHalfOpen: boolean;
  /** Nobody wants it any more. */
  readonly signal?: AbortSignal;
}

export interface ReachedTcp {
  readonly socket: Socket;
  /** Of its handshake. */
  readonly rttMs: number;
}

/** Opens a connection of TCP, to be raced with others. One that is given up leaves nothing open, and fails unheard. */
export function attemptTcp({ address, family }: Address, port: number, { allowHalfOpen, signal }: TcpOptions): Attempt<ReachedTcp> {
  const startMs = performance.now();
  const socket = connect({ host: address, family, port, allowHalfOpen, noDelay: true, ...BUFFERS });
  socket.setKeepAlive(true, KEEP_ALIVE_MS, KEEP_ALIVE_MS, KEEP_ALIVE_PROBES);
  const cancel = (): void => void socket.on('error', () => undefined).destroy();
  const result = once(socket, 'connect', { ...(signal && { signal }) }).then(
    () => ({ socket, rttMs: performance.now() - startMs }),
    (error: unknown) => {
      cancel();
      throw error;
    },
  );
  return { result, cancel };
}
