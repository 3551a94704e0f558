import type { AddressInfo, Server } from 'node:net';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { Destination } from '../../../shared/src/names/authority.ts';
import { listening } from '../../../shared/src/node/net/listening.ts';

/** A place, or the descriptor of a socket that listens already. */
export type ListenPlace = Destination | { readonly fd: number };

/** @param says the file that says where @throws FirstscreenError E_RELAY_LISTEN */
export async function listenOn(server: Server, where: ListenPlace, says: 'relay.json' | 'proxy.json'): Promise<AddressInfo> {
  try {
    return await listening(server, 'fd' in where ? where : { port: where.port, host: where.host.replace(/^\[|\]$/g, '') });
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
    throw new FirstscreenError('E_RELAY_LISTEN', `The relay can not listen where ${says} says (${reason}).`, 'See whether another program listens there, and whether this user may; a relay of a unit has its ports from its socket unit.', { cause });
  }
}
