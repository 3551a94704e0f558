import { DAY_MS } from '../../../shared/src/memory/cachedUntil.ts';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { RENEWAL_DAYS, readAuthority, trustDirectory } from '../trust/authority.ts';
import { StoreEditor, findCertutil, type StoreState } from '../trust/certutil.ts';
import { findStores, type NssStore } from '../trust/nssStores.ts';
import { pass, warn, type Check } from '../../../shared/src/check.ts';
import type { Machine } from './machine.ts';

const NAME = 'certificate authority';
const TRUST_AGAIN = 'Run "firstscreen-helper trust", or "firstscreen-helper untrust" if you do not want it any more.';

/** What `trust` has made, as it is now. No authority is as good as a good one: the helper then passes encrypted connections through. */
export function checkTrust(machine: Machine, now: Date): Check[] {
  const directory = trustDirectory(machine);
  const certutil = findCertutil(machine.env);
  const stores = machine.platform === 'darwin' ? [] : findStores(machine);
  let certificate;
  try {
    certificate = readAuthority(directory, now)?.certificate ?? null;
  } catch (error) {
    if (!(error instanceof FirstscreenError)) throw error;
    return [warn(NAME, error.message, TRUST_AGAIN)];
  }
  const stateOf = (store: NssStore): StoreState => (certutil === null ? 'unreadable' : new StoreEditor(certutil, store.directory).stateOf(certificate));
  if (certificate === null) {
    const left = stores.filter((store) => stateOf(store) === 'outdated');
    return left.length === 0 ? [pass(NAME, 'none: encrypted connections are passed through as they are')] : left.map((store) => warn(NAME, `there is none, but ${store.directory} still has a certificate of one`, TRUST_AGAIN));
  }
  const until = `in ${directory}, good until ${certificate.validToDate.toISOString().slice(0, 10)}`;
  const isEnding = certificate.validToDate.getTime() - now.getTime() < RENEWAL_DAYS * DAY_MS;
  return [isEnding ? warn(NAME, until, TRUST_AGAIN) : pass(NAME, until), ...stores.map((store) => checkStore(store, stateOf(store)))];
}

function checkStore({ browser, directory }: NssStore, state: StoreState): Check {
  if (state === 'trusted') return pass('trust', `${browser} trusts it in ${directory}`);
  if (state === 'unreadable') return warn('trust', `what ${browser} trusts in ${directory} can not be read`, 'Install certutil (Debian: libnss3-tools) and run this again.');
  return warn('trust', `${browser} does not trust it in ${directory}`, TRUST_AGAIN);
}
