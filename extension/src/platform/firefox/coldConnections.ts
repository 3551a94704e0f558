import type { ColdConnections } from '../coldConnections.ts';

/**
 * A page that Firefox loads past the cache gets new connections, and so does all that it asks for: idle ones are closed,
 * others end with what is under way on them (LOAD_FRESH_CONNECTION, nsHttpConnectionMgr::DoShiftReloadConnectionCleanup).
 */
export const coldConnections: ColdConnections = {
  needsHelper: false,
  close: () => Promise.resolve(),
};
