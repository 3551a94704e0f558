import { FirstscreenError } from '../../../shared/src/errors.ts';
import { AUTHORITY_NAME_PREFIX, readAuthority, trustDirectory } from '../trust/authority.ts';
import { StoreEditor, findCertutil, type StoreState } from '../trust/certutil.ts';
import { findStores, type NssStore } from '../trust/nssStores.ts';
import type { Machine } from './machine.ts';

export interface StoreStatus extends NssStore {
  /** `unreadable` also when there is no certutil to look with. */
  readonly state: StoreState;
}

/** What `trust` has made, as it is now. */
export interface TrustStatus {
  readonly directory: string;
  /** As browsers list it, and its end (ISO 8601); null when there is none that may be used. */
  readonly authority: { readonly name: string; readonly until: string } | null;
  /** Why the one that is there is not used. */
  readonly fault: { readonly message: string; readonly next: string } | null;
  readonly stores: readonly StoreStatus[];
}

export function readTrustStatus(machine: Machine, now: Date): TrustStatus {
  const directory = trustDirectory(machine);
  let certificate = null;
  let fault = null;
  try {
    certificate = readAuthority(directory, now)?.certificate ?? null;
  } catch (error) {
    if (!(error instanceof FirstscreenError)) throw error;
    fault = { message: error.message, next: error.next };
  }
  const certutil = machine.platform === 'darwin' ? null : findCertutil(machine.env);
  const stores = machine.platform === 'darwin' ? [] : findStores(machine);
  return {
    directory,
    authority: certificate === null ? null : { name: nameIn(certificate.subject), until: certificate.validToDate.toISOString() },
    fault,
    stores: stores.map((store) => ({ ...store, state: certutil === null ? 'unreadable' : new StoreEditor(certutil, store.directory).stateOf(certificate) })),
  };
}

function nameIn(subject: string): string {
  // a comma in it is escaped (RFC 4514)
  return /^CN=(.*)$/m.exec(subject)?.[1]?.replaceAll('\\', '') ?? AUTHORITY_NAME_PREFIX.trim();
}

const STATE_TEXTS: Readonly<Record<StoreState, string>> = { trusted: 'trusted', outdated: 'outdated', absent: 'not there', unreadable: 'unknown' };

export function trustStatusText({ directory, authority, fault, stores }: TrustStatus): string[] {
  const isNothing = authority === null && fault === null;
  const shown = isNothing ? stores.filter(({ state }) => state === 'outdated') : stores;
  return [
    isNothing ? 'No certificate authority: encrypted connections are passed through as they are.' : (fault?.message ?? `Certificate authority "${authority?.name ?? ''}" in ${directory}, good until ${authority?.until.slice(0, 10) ?? ''}.`),
    ...shown.map(({ browser, directory: store, state }) => `${browser.padEnd(10)}${STATE_TEXTS[state].padEnd(10)}${store}`),
  ];
}
