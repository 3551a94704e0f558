import { createPrivateKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { readOrNothing } from '../../../shared/src/node/readOrNothing.ts';
import { FILE_MODE, jsonText, namesIn, readBytesIfPresent, readIfPresent } from '../files.ts';
import { extensionIdOf, packCrx } from '../policy/crx.ts';
import { updateListText } from '../policy/updateList.ts';
import { BROWSERS, BROWSER_NAMES, isPresent, policyDirectory, type BrowserName } from './browsers.ts';
import type { InstalledFile } from './installedFiles.ts';
import { layoutOf, type Layout } from './layout.ts';
import type { Machine } from './machine.ts';
import { readManagedExtension } from './managedExtension.ts';
import type { Options } from './options.ts';
import type { Program } from './program.ts';
import { distinct, readReceipt, type Receipt } from './receipt.ts';
import { write, writeUnlessSame, type Step } from './steps.ts';

/** A policy that has one browser install the extension. */
export type PolicyFile = PolicyReceipt['files'][number];

type PolicyReceipt = NonNullable<Receipt['policy']>;

export interface PolicyPlan {
  readonly receipt: PolicyReceipt;
  /** Of the packed extension, and the key that names it. */
  readonly packageSteps: readonly Step[];
  /** What an administrator has to add by hand, because a file of his sets the same policy: a browser follows one of the two only. */
  readonly byHand: readonly string[];
}

/** Of what `doctor` looks at for it. */
export const POLICY_NAME = 'extension by policy';
const POLICY_FILE_NAME = 'firstscreen.json';
const KEY_MODE = 0o600;
const RSA_BITS = 2048;

/**
 * What is left to do so that browsers install the extension by policy. The extension is packed on this machine with a
 * key of this machine, which stays with root: it names the extension, and packages of later versions are updates.
 * Files of earlier runs that are still there are brought up to date with those of the browsers that are chosen.
 *
 * @throws FirstscreenError E_NOT_ROOT, E_PLATFORM, E_OPTION, E_POLICY
 */
export function planPolicy(options: Options, machine: Machine, program: Program, earlier: Receipt | null): PolicyPlan {
  if (machine.platform !== 'linux') throw new FirstscreenError('E_PLATFORM', 'The extension can be installed by policy on Linux only.', 'Load it as docs/extension.md says.');
  if (!machine.isRoot && !options.dryRun) throw new FirstscreenError('E_NOT_ROOT', 'Policies of browsers can be written by root alone.', 'Run: sudo firstscreen-helper install --policy');
  const layout = layoutOf('system', machine);
  const extension = readManagedExtension(program);
  const { key, steps: keySteps } = readOrMakeKey(layout.extensionKey);
  const crx = packCrx(extension.files, key);
  const extensionId = extensionIdOf(key);
  const kept = ownPolicyFiles(machine, earlier);
  const chosen = policyPaths(chosenBrowsers(options, kept, machine), machine);
  for (const { file } of chosen) refuseForeign(file, layout);
  const rivals = chosen.map(({ file }) => rivalOf(file)).filter((rival) => rival !== null && !readOrNothing(rival).includes(extensionId));
  const addition = JSON.stringify(settingsOf(extensionId, layout)).slice(1, -1);
  return {
    receipt: { extensionId, version: extension.version, crxSha256: hash('sha256', crx), files: distinct([...chosen.filter(({ file }) => rivalOf(file) === null), ...kept], ({ file }) => file) },
    packageSteps: [...keySteps, ...writeUnlessSame({ path: layout.crx, content: crx, mode: FILE_MODE })],
    byHand: rivals.map((rival) => `${rival} sets ExtensionSettings already and is left alone. Add to what it sets there: ${addition}`),
  };
}

/** The list of versions, then what leads browsers to it. */
export function policyFiles({ extensionId, version, files }: PolicyReceipt, machine: Machine): InstalledFile[] {
  const layout = layoutOf('system', machine);
  const contents = [[layout.updateList, updateListText(extensionId, version, pathToFileURL(layout.crx).href)], ...files.map(({ file }) => [file, policyText(extensionId, layout)] as const)] as const;
  return contents.map(([path, content]) => ({ name: POLICY_NAME, path, content, mode: FILE_MODE }));
}

/** Policy files of ours that are there, whoever has made which browser go meanwhile. */
export function ownPolicyFiles(machine: Machine, receipt: Receipt | null): PolicyFile[] {
  const layout = layoutOf('system', machine);
  const all = [...policyPaths(BROWSER_NAMES, machine), ...(receipt?.policy?.files ?? [])];
  return distinct(all, ({ file }) => file).filter(({ file }) => isOwn(readIfPresent(file), layout));
}

/** The extension that this machine's policy installs, which every helper here has to let in. */
export function managedExtensionIds(machine: Machine): string[] {
  const id = readReceipt(layoutOf('system', machine).receipt)?.policy?.extensionId;
  return id === undefined ? [] : [id];
}

/** The browsers that are named, or are there, and of which we know where policies are. @param kept of earlier runs, which are enough where no browser is found @throws FirstscreenError E_OPTION, E_POLICY */
function chosenBrowsers({ browsers }: Options, kept: readonly PolicyFile[], machine: Machine): BrowserName[] {
  const hasPolicies = (name: BrowserName): boolean => policyDirectory(name, machine) !== null;
  const named = browsers.length > 0 ? browsers : BROWSER_NAMES.filter((name) => isPresent(name, machine));
  const chosen = named.filter(hasPolicies);
  if (chosen.length > 0) return chosen;
  if (browsers.length === 0 && kept.length > 0) return [];
  if (browsers.length > 0) throw new FirstscreenError('E_OPTION', `The command line is wrong: ${browsers.map((browser) => BROWSERS[browser].title).join(' and ')} needs no policy.`, 'Leave out --policy.');
  throw new FirstscreenError('E_POLICY', 'No browser was found that installs extensions by policy.', 'Name one with --browser, or all of them with "--browser all".');
}

function policyPaths(browsers: readonly BrowserName[], machine: Machine): PolicyFile[] {
  return browsers.flatMap((browser) => {
    const directory = policyDirectory(browser, machine);
    return directory === null ? [] : [{ browser, file: join(directory, POLICY_FILE_NAME) }];
  });
}

function readOrMakeKey(path: string): { readonly key: KeyObject; readonly steps: readonly Step[] } {
  const pem = readIfPresent(path);
  if (pem === null) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: RSA_BITS });
    return { key: privateKey, steps: [write({ path, content: privateKey.export({ type: 'pkcs8', format: 'pem' }), mode: KEY_MODE })] };
  }
  try {
    return { key: createPrivateKey(pem), steps: [] };
  } catch {
    // not with its cause: a parser's words may hold what it has read
    throw new FirstscreenError('E_POLICY', `The extension can not be packed: ${path} is no private key.`, `Remove it and run the command again; browsers then take the extension for another one.`);
  }
}

function settingsOf(extensionId: string, { updateList }: Layout): Record<string, object> {
  return { [extensionId]: { installation_mode: 'force_installed', update_url: pathToFileURL(updateList).href } };
}

function policyText(extensionId: string, layout: Layout): string {
  return jsonText({ ExtensionSettings: settingsOf(extensionId, layout) });
}

function refuseForeign(file: string, layout: Layout): void {
  const text = readIfPresent(file);
  if (text === null || isOwn(text, layout)) return;
  throw new FirstscreenError('E_POLICY', `${file} is there already and was not written by Firstscreen, or was changed since.`, 'Give it another name or remove it, then run the command again.');
}

/** Whether a policy file says nothing but what we write: to install the extension from our list of versions. */
function isOwn(text: string | null, layout: Layout): boolean {
  if (text === null) return false;
  const id = /[a-p]{32}/.exec(text)?.[0] ?? '';
  return text === policyText(id, layout);
}

/** Another file there that sets the same policy; null when there is none. Browsers read JSON with comments, so that it is not parsed here. */
function rivalOf(file: string): string | null {
  const directory = dirname(file);
  const names = namesIn(directory).filter((name) => name !== POLICY_FILE_NAME && name.endsWith('.json'));
  return names.map((name) => join(directory, name)).find((path) => readOrNothing(path).includes('"ExtensionSettings"')) ?? null;
}

/** What is wrong with a policy installation beside its own files, in words, each with the next step. */
export function policyFaults({ crxSha256, files }: PolicyReceipt, machine: Machine, next: string): { readonly fault: string; readonly next: string }[] {
  const { crx } = layoutOf('system', machine);
  const packed = readBytesIfPresent(crx);
  const rivals = files.map(({ file }) => ({ file, rival: rivalOf(file) })).filter(({ rival }) => rival !== null);
  return [
    ...(packed === null ? [{ fault: `${crx} is missing`, next }] : hash('sha256', packed) === crxSha256 ? [] : [{ fault: `${crx} is not as install wrote it`, next }]),
    ...rivals.map(({ file, rival }) => ({ fault: `${rival} sets ExtensionSettings too, and a browser follows one of two files`, next: `Add to it what ${file} says, and remove that.` })),
  ];
}
