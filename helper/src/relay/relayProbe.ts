import { INITIAL_LINK } from '../../../shared/src/estimation/link.ts';
import { isPublicAddress } from '../../../shared/src/names/addressPolicy.ts';
import { HostResolver } from '../../../shared/src/names/resolveHost.ts';
import { systemSources } from '../names/systemSources.ts';
import { openTcp } from '../upstream/openSocket.ts';
import type { RelayConfig } from './relayConfig.ts';
import { RelayConnection, type RelayListener } from './relayConnection.ts';
import { mayGain, placeOf, type RelayPlace } from './relayPlace.ts';

/** For a person who waits. */
const LIMIT_MS = 10_000;
/** The least of them is the link's. */
const PINGS = 3;

const NOBODY: RelayListener = { heard: () => undefined, used: () => undefined, isSilent: () => false, overtaken: () => undefined, ended: () => undefined, wantsPushed: () => false };

/** How a relay answers. */
export interface RelayAnswer {
  readonly rttMs: number;
  /** Whether connections go by it from here, where the link is slow. */
  readonly mayGain: boolean;
}

/**
 * Speaks with the relay as the helper of a browser does.
 *
 * @throws FirstscreenError E_RELAY_UNAVAILABLE, E_RELAY_IDENTITY, E_RELAY_REFUSED, E_RELAY_VERSION
 */
export async function probeRelay(config: RelayConfig): Promise<RelayAnswer> {
  const resolver = new HostResolver(systemSources());
  const link = { rttMs: () => INITIAL_LINK.rttMs, roundTrip: () => undefined };
  let place: RelayPlace = 'beyond';
  const connect = async (): ReturnType<typeof openTcp> => {
    const opened = await openTcp(await resolver.resolve(config.host), config.port, link);
    place = placeOf(opened.socket, isPublicAddress);
    return opened;
  };
  const connection = await RelayConnection.open(config, connect, NOBODY, AbortSignal.timeout(LIMIT_MS));
  const giveUp = setTimeout(() => connection.destroy(), LIMIT_MS);
  try {
    for (let sent = 0; sent < PINGS; sent += 1) await connection.ping();
    return { rttMs: connection.rttMs, mayGain: mayGain(place, connection.rttMs) };
  } finally {
    clearTimeout(giveUp);
    connection.destroy();
  }
}
