import type { ColdConnections } from '../coldConnections.ts';
import { askFor } from '../ownRequests.ts';

/** More than Chromium 156 has at once: with 300 no connection was closed, of 600 requests 396 had one. */
const REQUESTS = 600;
/** The helper ends them all within four seconds, however many there are. */
const LIMIT_MS = 5_000;

/**
 * Chromium closes connections that nobody uses when it needs more than it may have, and at no word of an extension:
 * `browsingData.remove` closes none (Chromium 156, whatever is removed), nor does a change of the proxy. So it is made to
 * need more: by requests to the helper, each for a host of its own, all on this machine (RFC 6761, section 6.3). What is in
 * use goes on.
 */
export const coldConnections: ColdConnections = {
  needsHelper: true,
  async close(port) {
    if (port === null) throw new TypeError('Chromium closes no connections without the helper');
    await Promise.all(Array.from({ length: REQUESTS }, (_, place) => askFor(`h${place}.localhost:${port}`, 'http', LIMIT_MS)));
  },
};
