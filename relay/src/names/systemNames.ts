import { Resolver } from 'node:dns/promises';
import type { AddressSources } from '../../../shared/src/names/resolveHost.ts';
import { askResolver } from '../../../shared/src/node/names/askResolver.ts';
import { machineNames } from '../../../shared/src/node/names/machineNames.ts';
import { ownFamilies } from '../../../shared/src/node/names/outwardAddresses.ts';

/** The relay's resolver is near; a lost question costs this. */
const TIMEOUT_MS = 1_000;
const TRIES = 3;

/** The relay's own ways to find addresses: the hosts file, the resolvers of the system, its lookup. */
export function systemNames(): AddressSources {
  return machineNames({
    // one anew for each name: it reads the system's settings when it is made
    ask: (host) => askResolver(host, new Resolver({ timeout: TIMEOUT_MS, tries: TRIES }), ownFamilies()),
    now: () => performance.now(),
  });
}
