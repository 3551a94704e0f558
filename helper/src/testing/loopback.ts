import type { Address } from '../../../shared/src/names/address.ts';
import { connectLocally } from '../../../shared/src/node/testing/localServer.ts';
import type { SocketOpener } from '../upstream/socketOpener.ts';
import { openTcp, type LinkView, type OpenedTcp } from '../upstream/openSocket.ts';

export const LOOPBACK: Address = { address: '127.0.0.1', family: 4 };

/** Of which nothing is known, nor to be told. */
export const ANY_LINK: LinkView = { rttMs: () => 0, roundTrip: () => undefined };

/** Hosts of which nothing is known before they are asked for. */
export function namesBy(resolve: (host: string) => Promise<readonly Address[]>): ConstructorParameters<typeof SocketOpener>[0] {
  return { resolve, likely: () => null, reached: () => undefined, moved: () => undefined, forget: () => undefined };
}

/** A connection as the helper makes it. */
export function openLocally(port: number): Promise<OpenedTcp> {
  return openTcp([LOOPBACK], port, ANY_LINK);
}

/** The same, on which TLS is taken to have agreed on a protocol. */
export async function openSpeaking(protocol: 'h2' | 'http/1.1', port: number): Promise<Omit<OpenedTcp, 'address'>> {
  return { socket: Object.assign(await connectLocally(port), { alpnProtocol: protocol }), rttMs: 1 };
}
