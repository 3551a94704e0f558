import type { X509Certificate } from 'node:crypto';
import { DAY_MS } from '../../../shared/src/memory/cachedUntil.ts';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { PRIVATE_DIRECTORY_MODE, PRIVATE_FILE_MODE, jsonText, missingDirectories, modeOf } from '../files.ts';
import { RENEWAL_DAYS, authorityPaths, readAuthority, trustDirectory } from '../trust/authority.ts';
import { StoreEditor, requireCertutil } from '../trust/certutil.ts';
import { AUTHORITY_LIFE_DAYS, authorityName, createAuthority, type AuthorityOwner } from '../trust/certificates.ts';
import { findStores, missingChromiumStore, type NssStore } from '../trust/nssStores.ts';
import { OWN_EXCLUSIONS } from '../trust/ownExclusions.ts';
import { neverInterceptPath } from '../trust/excludedHosts.ts';
import { readTrustReceipt, trustReceiptPath, type TrustReceipt } from '../trust/trustReceipt.ts';
import type { Machine } from './machine.ts';
import { refuseForAnother } from './ownHome.ts';
import { distinct } from './receipt.ts';
import { addToStore, makeDirectory, makeStore, removeFromStore, writeUnlessSame, type Plan, type Step } from './steps.ts';

export interface TrustReport {
  /** Until when the authority will be good (ISO 8601). */
  readonly until: string;
  readonly stores: readonly NssStore[];
}

/**
 * What is left to do so that the user's browsers trust an authority of his own; no steps when all is done already. An authority that is there is kept, unless it is refused or near its end.
 *
 * @throws FirstscreenError E_PLATFORM, E_CERTUTIL, E_AUTHORITY when run for another user
 */
export async function planTrust(machine: Machine, owner: AuthorityOwner, now: Date): Promise<Plan<TrustReport>> {
  refuseDarwin(machine);
  refuseForAnother(machine, 'E_AUTHORITY', 'An authority');
  const certutil = requireCertutil(machine.env);
  const directory = trustDirectory(machine);
  const paths = authorityPaths(directory);
  const kept = keptCertificate(directory, now);
  const made = missingChromiumStore(machine);
  const stores = [...(made === null ? [] : [made]), ...findStores(machine)];
  const write = (path: string, content: string): Step[] => writeUnlessSame({ path, content, mode: PRIVATE_FILE_MODE });
  const madeDirectories = [...missingDirectories(directory), ...(made === null ? [] : missingDirectories(made.directory))];
  const receipt = extendReceipt(readTrustReceipt(directory), {
    format: 1,
    stores: stores.map((store) => store.directory),
    madeStores: made === null ? [] : [made.directory],
    directories: madeDirectories,
  });
  const make = (path: string): Step => makeDirectory(path, PRIVATE_DIRECTORY_MODE);
  const authority = kept === null ? await createAuthority(owner, now) : null;
  const nickname = authorityName(owner);
  const until = (kept?.validToDate ?? new Date(now.getTime() + AUTHORITY_LIFE_DAYS * DAY_MS)).toISOString();
  return {
    steps: [
      ...missingDirectories(directory).map(make),
      ...(modeOf(directory) === null || modeOf(directory) === PRIVATE_DIRECTORY_MODE ? [] : [make(directory)]),
      ...write(trustReceiptPath(directory), jsonText(receipt)),
      ...(authority === null ? [] : [...write(paths.key, authority.keyPem), ...write(paths.certificate, authority.certificatePem)]),
      ...(made === null ? [] : [...missingDirectories(made.directory).map(make), makeStore(certutil, made.directory)]),
      ...stores.flatMap((store) => {
        const state = store === made ? 'absent' : new StoreEditor(certutil, store.directory).stateOf(kept);
        const add = addToStore(certutil, store.directory, nickname, paths.certificate);
        if (state === 'trusted') return [];
        // a store that can not be read says why when it is changed
        return state === 'outdated' ? [removeFromStore(certutil, store.directory), add] : [add];
      }),
    ],
    meaning: trustText({ stores, until }, machine),
    nothing: `Trusted already, until ${until.slice(0, 10)}.`,
    done: 'Done. Start the browsers anew: one that runs may not trust the authority yet. To take it back: firstscreen-helper untrust.',
    // what the helper would refuse is told now, and not when a page fails
    verify: () => readAuthority(directory, new Date()),
    report: { until, stores },
  };
}

/** The certificate of the authority that is there, when that may go on. */
function keptCertificate(directory: string, now: Date): X509Certificate | null {
  try {
    const certificate = readAuthority(directory, now)?.certificate ?? null;
    return certificate !== null && certificate.validToDate.getTime() - now.getTime() > RENEWAL_DAYS * DAY_MS ? certificate : null;
  } catch (error) {
    if (error instanceof FirstscreenError && error.code === 'E_AUTHORITY') return null;
    throw error;
  }
}

function extendReceipt(earlier: TrustReceipt, later: TrustReceipt): TrustReceipt {
  const both = (name: 'stores' | 'madeStores' | 'directories'): string[] => distinct([...earlier[name], ...later[name]]);
  return { format: 1, stores: both('stores'), madeStores: both('madeStores'), directories: both('directories') };
}

function refuseDarwin({ platform }: Machine): void {
  if (platform !== 'darwin') return;
  throw new FirstscreenError('E_PLATFORM', 'The helper can not make browsers on macOS trust an authority: nobody has tested that with their keychain.', 'Use Firstscreen without it: encrypted connections are then passed through as they are.');
}

/** Everything that a person has to know before saying yes. */
function trustText({ stores, until }: TrustReport, machine: Machine): string {
  const directory = trustDirectory(machine);
  return [
    'This lets the Firstscreen helper look into the encrypted connections of your browsers, to put first what a page needs first.',
    '',
    `What is made:     a certificate authority of your own, good until ${until.slice(0, 10)}: a certificate and its private key.`,
    `Where it is:      ${directory}, which only you may open (and root).`,
    'Who trusts it:    these stores, with all programs that use them; not the system, and no other user:',
    ...stores.map(({ directory: store, browser }) => `                  ${browser.padEnd(10)}${store}`),
    'What it allows:   the helper, on this machine, shows your browser a certificate of its own for a site, and checks that of the site itself.',
    '                  It then sees what you send and get there, passwords included. It sends that to nobody else, and keeps no contents;',
    '                  which addresses a page needs it keeps only where its memory of pages is switched on.',
    'What you lose:    your browser no longer judges these sites itself. The helper checks that a certificate leads to an authority that',
    '                  Node.js trusts, names the site and is in date; it does not check what browsers check beside that: whether it was revoked',
    '                  (CRLSets, CRLite), whether it was published (Certificate Transparency), and whom a browser has since stopped to trust.',
    '                  The padlock shows our certificate. A site that asks for a certificate of yours is passed through.',
    'The danger:       whoever gets the private key (another program that runs as you, a copy of your home directory) could pretend to your',
    '                  browsers to be any site. It never leaves that directory: leave it out of backups that others can read.',
    `Never touched:    ${OWN_EXCLUSIONS.map(({ kind }) => kind).join(', ')}: as far as names tell;`,
    '                  your own network; sites whose program refuses such a certificate.',
    `                  Add others, one a line, in ${neverInterceptPath(machine)}.`,
    'To take it back:  firstscreen-helper untrust, at any time.',
  ].join('\n');
}
