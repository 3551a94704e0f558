import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { authorityPaths, trustDirectory } from '../trust/authority.ts';
import { StoreEditor, requireCertutil } from '../trust/certutil.ts';
import { findStores, isStore } from '../trust/nssStores.ts';
import { readTrustReceipt, type TrustReceipt } from '../trust/trustReceipt.ts';
import type { Machine } from './machine.ts';
import { remove, removeDirectories, removeFromStore, removeStoreIfEmpty, type Plan, type Step } from './steps.ts';

interface UntrustSteps {
  /** Stores that have a certificate of ours, or had one when it was last known. */
  readonly stores: readonly string[];
  readonly steps: readonly Step[];
  /** Around those that are removed with the steps: others may still have something in them, so they come last of all. */
  readonly directories: readonly Step[];
}

/** @throws as untrustSteps */
export function planUntrust(machine: Machine): Plan {
  const { stores, steps, directories } = untrustSteps(machine);
  return {
    steps: [...steps, ...directories],
    meaning: [
      'This takes back what "firstscreen-helper trust" has done: the private key is erased first, then the certificate is taken out of',
      ...(stores.length === 0 ? ['no store (none has it).'] : stores.map((path) => `  ${path}`)),
      'Close the browsers before, or start them anew afterwards: one that runs may trust the certificate until it ends.',
      'Encrypted connections are then passed through as they are. Your list of hosts that are never intercepted stays.',
    ].join('\n'),
    nothing: 'Nothing of Firstscreen is trusted here.',
    done: 'Taken back. Start the browsers anew.',
    report: { stores },
  };
}

/**
 * What is to be removed: the key first, for without it the certificate is worth nothing to anybody; then every certificate of ours from every store that is known or found, then the rest. Nothing
 * need be complete: it undoes a `trust` or an `untrust` that was interrupted, and finds stores that were copied since.
 *
 * @throws FirstscreenError E_CERTUTIL when there are stores to look into and nothing to do it with
 */
export function untrustSteps(machine: Machine): UntrustSteps {
  const directory = trustDirectory(machine);
  const receipt = readTrustReceipt(directory);
  const { stores, steps } = machine.platform === 'darwin' ? { stores: [], steps: [] } : planStores(machine, receipt);
  const names = namesIn(directory);
  // ours by its name, also when an untrust died before it could remove it; where the helper is installed it stays
  const own = dirname(directory);
  const around = [...(existsSync(own) && namesIn(own).every((name) => name === basename(directory)) ? [own] : []), ...receipt.directories];
  const isKey = (name: string): boolean => name.startsWith(basename(authorityPaths(directory).key));
  // whatever is in the directory is ours, also what a crash has left of a file
  const erase = (name: string): Step => remove(join(directory, name));
  return {
    stores,
    steps: [...names.filter(isKey).map(erase), ...steps, ...names.filter((name) => !isKey(name)).map(erase), ...removeDirectories([directory].filter((path) => existsSync(path)))],
    directories: removeDirectories([...new Set(around)].filter((path) => path !== directory && existsSync(path))),
  };
}

function namesIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}

function planStores(machine: Machine, receipt: TrustReceipt): { stores: string[]; steps: Step[] } {
  const found = findStores(machine).map((store) => store.directory);
  const known = receipt.stores.filter((path) => isStore(path));
  const everywhere = [...new Set([...found, ...known])];
  if (everywhere.length === 0) return { stores: [], steps: [] };
  const certutil = requireCertutil(machine.env);
  const stores = everywhere.filter((path) => {
    const state = new StoreEditor(certutil, path).stateOf(null);
    // of a store that can not be read only those matter that we have written to; they will say why
    return state === 'outdated' || (state === 'unreadable' && known.includes(path));
  });
  const made = receipt.madeStores.filter((path) => isStore(path));
  return {
    stores,
    steps: [...stores.map((path) => removeFromStore(certutil, path)), ...made.map((path) => removeStoreIfEmpty(certutil, path))],
  };
}
