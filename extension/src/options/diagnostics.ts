import type { BackgroundFacts } from '../messages/optionsPage.ts';
import type { TabStatus } from '../messages/status.ts';
import type { Settings } from '../settings/settings.ts';
import type { Sites } from '../settings/sites.ts';

/** Of this file's form. */
const VERSION = 1;
/** What a version looks like; anything else that a helper calls so is not passed on. */
const PLAIN_VERSION = /^\d[\w.+-]{0,39}$/;

export interface DiagnosticsSource {
  readonly extensionVersion: string;
  /** Of the browser. */
  readonly userAgent: string;
  readonly settings: Settings;
  readonly sites: Sites;
  readonly hasAccess: boolean;
  /** Null where the background script gave no answer. */
  readonly status: TabStatus | null;
  readonly facts: BackgroundFacts | null;
  /** Wall clock. */
  readonly nowMs: number;
}

/**
 * What somebody needs who is to find a fault: versions, settings, states, the estimate of the link, codes that were
 * logged. Each part is picked by name, so that no address, host or name of anything can come with it: of the list of
 * sites its length, of the driver its state (its texts name interfaces), of codes how often and how long ago.
 */
export function diagnosticsText({ extensionVersion, userAgent, settings, sites, hasAccess, status, facts, nowMs }: DiagnosticsSource): string {
  const { enabled, remember, connections, nextPage, compareVisits, dataSaver, relay } = settings;
  const diagnostics = {
    diagnosticsVersion: VERSION,
    versions: { extension: extensionVersion, browser: userAgent, helper: versionOf(facts?.helperVersion ?? null) },
    settings: { enabled, remember, connections, nextPage, compareVisits, dataSaver, relay },
    sites: { listed: sites.rules.length, off: sites.offHosts.length, neverOpened: sites.tunnelOnlyHosts.length, savingData: sites.dataSaverHosts.on.length, notSavingData: sites.dataSaverHosts.off.length },
    hasAccess,
    states: status && { hasGate: status.hasGate, isLinkFast: status.isLinkFast, helper: status.helper, misfit: status.misfit?.kind ?? null, memory: status.memory, nextPage: status.nextPage, connections: status.connections, relay: status.relay, driver: status.driver?.state ?? null },
    link: facts && { rateBitsPerSecond: Math.round(facts.link.rateBitsPerSecond), rttMs: Math.round(facts.link.rttMs), connectMs: Math.round(facts.link.connectMs) },
    codes: facts && facts.loggedCodes.map(({ code, count, lastMs }) => ({ code, count, secondsAgo: Math.max(0, Math.round((nowMs - lastMs) / 1000)) })),
  };
  return `${JSON.stringify(diagnostics, null, 2)}\n`;
}

function versionOf(version: string | null): string | null {
  return version === null || PLAIN_VERSION.test(version) ? version : 'unreadable';
}
