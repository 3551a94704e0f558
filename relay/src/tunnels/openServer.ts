import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { Address } from '../../../shared/src/names/address.ts';
import type { IsPublic } from '../../../shared/src/names/addressPolicy.ts';
import type { Destination } from '../../../shared/src/names/authority.ts';
import { race } from '../../../shared/src/names/race.ts';
import type { HostResolver } from '../../../shared/src/names/resolveHost.ts';
import { after } from '../../../shared/src/node/after.ts';
import { attemptTcp, type ReachedTcp } from '../../../shared/src/node/net/attemptTcp.ts';
import { unlessAborted } from '../../../shared/src/node/unlessAborted.ts';
import { isBlockedPort } from './blockedPorts.ts';

/** RFC 8305, section 5: the relay's own link is fast. */
const ATTEMPT_DELAY_MS = 250;
/** Of name and handshake together. A lost SYN goes again after 1 s, and after 3; whoever waits goes direct then, and has not waited longer for a relay whose own way is broken. */
const OPENING_LIMIT_MS = 4_000;
/** No more are begun in that time. Each is judged first, and a name may have thousands: whoever has one made would hold up all clients. */
const MAX_ADDRESSES = OPENING_LIMIT_MS / ATTEMPT_DELAY_MS;

/** What the relay asks of names and addresses. */
export interface OpenerNeeds {
  readonly resolver: Pick<HostResolver, 'resolve' | 'forget'>;
  readonly isPublic: IsPublic;
}

/** Connections to servers by name, to addresses of the public web alone. A name is resolved once, and what was judged is what is connected to. */
export class ServerOpener {
  private readonly needs: OpenerNeeds;
  private readonly limitMs: number;

  constructor(needs: OpenerNeeds, limitMs = OPENING_LIMIT_MS) {
    this.needs = needs;
    this.limitMs = limitMs;
  }

  /**
   * @param signal nobody wants it any more: nothing is left open
   * @returns a connection of which either direction may end first
   * @throws FirstscreenError E_ADDRESS, E_NAME, E_CONNECT
   */
  async open({ host, port }: Destination, signal: AbortSignal): Promise<ReachedTcp> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(this.limitMs)]);
    if (isBlockedPort(port)) throw new FirstscreenError('E_ADDRESS', 'The port is not of the web.', 'Go direct.');
    const addresses = (await this.addressesOf(host, limited)).slice(0, MAX_ADDRESSES);
    if (!addresses.every(({ address }) => this.needs.isPublic(address))) throw new FirstscreenError('E_ADDRESS', 'The host is not on the public web.', 'Go direct.');
    try {
      return await race(addresses, (address) => attemptTcp(address, port, { allowHalfOpen: true, signal: limited }), () => ATTEMPT_DELAY_MS, after);
    } catch (cause) {
      this.needs.resolver.forget(host);
      throw noConnection(cause);
    }
  }

  private async addressesOf(host: string, signal: AbortSignal): Promise<readonly Address[]> {
    try {
      return await unlessAborted(this.needs.resolver.resolve(host), signal);
    } catch (error) {
      if (signal.aborted) throw noConnection(error);
      throw error;
    }
  }
}

function noConnection(cause: unknown): FirstscreenError {
  return new FirstscreenError('E_CONNECT', 'No address of the host accepts a connection in time.', 'Go direct.', { cause });
}
