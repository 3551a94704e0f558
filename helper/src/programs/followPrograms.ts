import type { Socket } from 'node:net';
import { bareHost } from '../../../shared/src/names/authority.ts';
import type { Follow } from '../driver/spoolRelay.ts';
import { Repairs, type RepairsOptions } from '../fwp/repairs.ts';
import { destinationOf } from '../http/requestTarget.ts';
import type { OpenConnection } from '../upstream/connection.ts';
import { DirectConnection } from '../upstream/directConnection.ts';
import { openTcp, type LinkView } from '../upstream/openSocket.ts';
import { endsOf } from '../upstream/plainFlow.ts';
import { FollowedConnection } from './followedConnection.ts';

/** What programs do tells the browser's requests nothing. */
const NO_LINK: LinkView = { rttMs: () => 0, roundTrip: () => undefined };

/** To the address that the program has chosen, as of several servers of a name each may have another file. */
const openTo: OpenConnection = async (origin, id, onClosed) => {
  const { host, port } = destinationOf(origin);
  const address = bareHost(host);
  return new DirectConnection(id, origin, await openTcp([{ address, family: address.includes(':') ? 6 : 4 }], port, NO_LINK), onClosed);
};

/** FWP's session layer for programs that are led into the spool: what they load over HTTP/1.1 in clear is repaired as the browser's is (docs/helper.md). */
export function followPrograms(options: Omit<RepairsOptions, 'open'>): Follow {
  const of = { repairs: new Repairs({ ...options, open: openTo }), open: openTo };
  return (remote: Socket, to) => {
    const ends = endsOf(remote);
    // one that has ended already
    if (ends === null) return null;
    return new FollowedConnection({ ends, hangUp: () => remote.destroy() }, to, of);
  };
}
