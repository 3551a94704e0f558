import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { Address } from '../../../shared/src/names/address.ts';
import { attemptDelayMs, race, type Attempt } from '../../../shared/src/names/race.ts';
import { after } from '../../../shared/src/node/after.ts';
import { attemptTcp } from '../../../shared/src/node/net/attemptTcp.ts';

/** What is known of the access link, and who wants to know. */
export interface LinkView {
  /** Its round trip, as far as is known. */
  rttMs(): number;
  /** A handshake took so long. */
  roundTrip(rttMs: number): void;
}

/** A connection of TCP, or what stands for one. */
export interface Way extends Duplex {
  /** All that has come. */
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** Of this machine; nothing when it is closed. */
  readonly localAddress?: string | undefined;
}

/** A way through the relay, which decides between the ways what goes next. */
export interface RankedWay extends Way {
  /** The most urgent that is asked for on it has this level (`levelOf`). */
  rank(level: number): void;
  /** The relay is silent for so long that the direct way is worth more, where it works. */
  readonly isSilent: boolean;
  /** Called when it has become silent. @returns whether the direct way is tried for what is asked for on it */
  late: () => boolean;
  /** The direct way has worked meanwhile. */
  overtaken(): void;
}

/** As an origin wants it. */
export interface OpenedSocket {
  /** What is spoken on: the way, or TLS on it. */
  readonly socket: Way;
  /** Of its handshake. */
  readonly rttMs: number;
  /** The way itself, where the relay is on it. */
  readonly relayed?: RankedWay;
}

export interface OpenedTcp extends OpenedSocket {
  readonly socket: Socket;
  /** Of the server. */
  readonly address: Address;
}

/** A connection that is begun before it is known whether its address is one of the host's (ADR 91). */
export interface BegunTcp extends Attempt<OpenedTcp> {
  readonly address: Address;
}

/** Begins a connection on which nothing is to be sent before `openTcp` has taken it. */
export function beginTcp(address: Address, port: number, link: LinkView, allowHalfOpen: boolean): BegunTcp {
  const begun = attempt(address, port, allowHalfOpen, link);
  // nobody listens to it until it is taken
  begun.result.then(
    ({ socket }) => void socket.on('error', () => undefined),
    () => undefined,
  );
  return { address, ...begun };
}

/**
 * Opens a TCP connection to the first address that answers. Each is tried twice: a first segment that is lost is sent
 * again after a second (RFC 6298, section 2), and browsers do not wait for that (Chromium, net/socket: backup jobs).
 *
 * @param addresses in the order of trying
 * @param allowHalfOpen for a tunnel: a direction that has ended leaves the other open
 * @param begun one of them, which comes first
 * @throws FirstscreenError E_CONNECT
 */
export async function openTcp(addresses: readonly Address[], port: number, link: LinkView, allowHalfOpen = false, begun: BegunTcp | null = null): Promise<OpenedTcp> {
  const delayMs = attemptDelayMs(link.rttMs());
  const failures = new Map<Address, Error>();
  const start = (address: Address): Attempt<OpenedTcp> => {
    const started = attempt(address, port, allowHalfOpen, link);
    started.result.catch((error: unknown) => failures.set(address, error instanceof Error ? error : new Error(String(error))));
    return started;
  };
  // one that has refused the first time is not asked again
  const again = (address: Address): Attempt<OpenedTcp> => {
    const failure = failures.get(address);
    return failure === undefined ? start(address) : { result: Promise.reject(failure), cancel: () => undefined };
  };
  const order = begun === null ? addresses : [begun.address, ...addresses.filter(({ address }) => address !== begun.address.address)];
  const tries = [...order.map((address) => () => (address === begun?.address ? continued(begun, start) : start(address))), ...order.map((address) => () => again(address))];
  try {
    return await race(tries, (begin) => begin(), () => delayMs, after);
  } catch (error) {
    throw new FirstscreenError('E_CONNECT', 'No address of the host accepts a connection.', 'The browser is asked to try itself.', { cause: error });
  }
}

function attempt(address: Address, port: number, allowHalfOpen: boolean, link: LinkView): Attempt<OpenedTcp> {
  const opening = attemptTcp(address, port, { allowHalfOpen });
  const result = opening.result.then((reached) => {
    link.roundTrip(reached.rttMs);
    return { ...reached, address };
  });
  return { result, cancel: () => opening.cancel() };
}

/** What was begun; where that has failed, or the server has ended it meanwhile, the address is tried as any other. */
function continued(begun: BegunTcp, start: (address: Address) => Attempt<OpenedTcp>): Attempt<OpenedTcp> {
  let current: Attempt<OpenedTcp> = begun;
  let isCancelled = false;
  const result = begun.result.catch(() => null).then((opened) => {
    if (opened?.socket.readyState === 'open') return opened;
    opened?.socket.destroy();
    // nobody would take or close it
    if (!isCancelled) current = start(begun.address);
    return current.result;
  });
  const cancel = (): void => {
    isCancelled = true;
    current.cancel();
  };
  return { result, cancel };
}
