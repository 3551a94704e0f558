import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { CHROMIUM_EXTENSION_ORIGIN, FIREFOX_ADDON_ID, chromiumOrigin } from '../../../shared/src/protocol/identity.ts';
import { FrameParser } from '../../../shared/src/protocol/framing.ts';
import { MAX_FRAME_BYTES, PROTOCOL_VERSION, parseHelperMessage, type ExtensionMessage, type HelperMessageOf } from '../../../shared/src/protocol/native.ts';
import { decodeBody, encodeMessage } from '../host/messageCodec.ts';
import { DAY_MS, RENEWAL_DAYS } from '../trust/authority.ts';
import { HELPER_VERSION } from '../version.ts';
import { driverSocketPath } from '../driver/driverMessages.ts';
import { familyOf, titleOf } from './browsers.ts';
import { fail, pass, warn, type Check } from './check.ts';
import { checkDriver } from './driverCheck.ts';
import { modeOf, readIfPresent, reasonOf } from '../files.ts';
import { launcherText } from './launcher.ts';
import { layoutOf, type Layout } from './layout.ts';
import type { Machine } from './machine.ts';
import type { Options } from './options.ts';
import { MIN_NODE_MAJOR, isNodeRecentEnough } from './program.ts';
import { policyFaults } from './policy.ts';
import { readReceipt, type Receipt } from './receipt.ts';
import { readStatus, type ManifestStatus, type Status } from './status.ts';
import type { TrustStatus } from './trustStatus.ts';

const INSTALL_AGAIN = 'Run "firstscreen-helper install".';

/** Looks at everything between the browser and a running helper, up to a conversation with it. */
export async function examine(options: Options, machine: Machine): Promise<Check[]> {
  const layout = layoutOf(options.scope, machine);
  let receipt: Receipt | null;
  try {
    receipt = readReceipt(layout.receipt);
  } catch (error) {
    if (!(error instanceof FirstscreenError)) throw error;
    return [fail('installation', error.message, error.next)];
  }
  const systemReceipt = readReceipt(layoutOf('system', machine).receipt);
  // on a machine that is installed for all, a user needs nothing of his own
  if (receipt === null && systemReceipt !== null && options.scope === 'user') return examine({ ...options, scope: 'system' }, machine);
  if (receipt === null) return [fail('installation', `nothing is installed in ${layout.directory}`, INSTALL_AGAIN)];
  const status = readStatus(options, machine);
  const manifests = status.manifests.filter(({ state }) => state !== 'absent');
  return [
    checkVersion(receipt),
    checkNode(receipt),
    checkProgram(status, receipt),
    checkLauncher(status, layout, receipt),
    ...(manifests.length === 0 ? [fail('manifests', 'no browser has been told about the helper', `${INSTALL_AGAIN} Name the browser with --browser if it is not found.`)] : manifests.map(checkManifest)),
    ...[layout.directory, layout.launcher, layout.receipt, receipt.program, ...manifests.map(({ manifest }) => dirname(manifest))].flatMap(checkPermissions),
    ...checkPolicy(systemReceipt, manifests, machine),
    ...checkSandboxes(machine),
    ...(status.trust === null ? [] : checkTrust(status.trust, new Date())),
    await checkDriver(driverSocketPath(machine.env)),
    ...callersOf(manifests).map((args) => checkConversation(layout.launcher, args)),
  ];
}

function checkVersion({ version }: Receipt): Check {
  if (version === HELPER_VERSION) return pass('version', version);
  return warn('version', `${version} is installed, this is ${HELPER_VERSION}`, INSTALL_AGAIN);
}

function checkNode({ nodePath }: Receipt): Check {
  const next = `Run "firstscreen-helper install" with Node ${MIN_NODE_MAJOR} or later.`;
  try {
    const version = execFileSync(nodePath, ['--version'], { encoding: 'utf8', timeout: NODE_LIMIT_MS }).trim();
    return isNodeRecentEnough(version) ? pass('node', `${nodePath} is ${version}`) : fail('node', `${nodePath} is ${version}`, next);
  } catch {
    return fail('node', `${nodePath} does not run`, next);
  }
}

const NODE_LIMIT_MS = 5000;

function checkProgram({ program }: Status, receipt: Receipt): Check {
  return program?.valid === true ? pass('program', receipt.program) : fail('program', `${receipt.program} is missing`, INSTALL_AGAIN);
}

function checkLauncher({ launcher }: Status, layout: Layout, receipt: Receipt): Check {
  if (!launcher.valid) return fail('launcher', `${launcher.path} is missing or not executable`, INSTALL_AGAIN);
  const expected = launcherText(receipt.nodePath, receipt.program, receipt.extensionIds);
  return readIfPresent(layout.launcher) === expected ? pass('launcher', launcher.path) : fail('launcher', `${launcher.path} is not as install wrote it`, INSTALL_AGAIN);
}

function checkManifest({ browser, manifest, state, faults }: ManifestStatus): Check {
  const name = `manifest for ${titleOf(browser)}`;
  if (state === 'installed') return pass(name, manifest);
  if (state === 'foreign') return fail(name, `${manifest} starts another program`, `Remove it if you do not need it, then: ${INSTALL_AGAIN}`);
  return fail(name, `${manifest}: ${faults.join('; ')}`, `Remove it, then: ${INSTALL_AGAIN}`);
}

const WRITE_BITS_OF_OTHERS = 0o022;

/** Whoever can write there can make the browser run his own program. */
function checkPermissions(path: string): Check[] {
  const mode = modeOf(path);
  if (mode === null) return [];
  if ((mode & WRITE_BITS_OF_OTHERS) === 0) return [pass('permissions', path)];
  return [warn('permissions', `others may write to ${path} (mode ${mode.toString(8)})`, `Run: chmod go-w '${path}'`)];
}

/** Whether browsers under our policy find what it names, and get at the helper. */
function checkPolicy(receipt: Receipt | null, manifests: readonly ManifestStatus[], machine: Machine): Check[] {
  if (receipt?.policy === null || receipt?.policy === undefined) return [];
  const { policy } = receipt;
  const name = 'extension by policy';
  const origin = chromiumOrigin(policy.extensionId);
  const shut = manifests.filter(({ browser, manifest, state }) => familyOf(browser) === 'chromium' && state === 'installed' && readIfPresent(manifest)?.includes(origin) !== true);
  const lonely = policy.files.filter(({ browser }) => manifests.every((known) => known.browser !== browser));
  const problems = [
    ...policyFaults(policy, machine).map(({ fault, next }) => fail(name, fault, next)),
    ...shut.map(({ manifest }) => fail(name, `${manifest} does not let it in`, INSTALL_AGAIN)),
    ...lonely.map(({ browser }) => warn(name, `${titleOf(browser)} has it, but has not been told about the helper`, `Run "firstscreen-helper install --browser ${browser}" as each of its users.`)),
    ...(policy.version === HELPER_VERSION ? [] : [warn(name, `it is ${policy.version}, the helper ${HELPER_VERSION}`, 'Run "sudo firstscreen-helper install --policy".')]),
  ];
  return problems.length > 0 ? problems : [pass(name, `${policy.extensionId} ${policy.version} for ${policy.files.map(({ browser }) => titleOf(browser)).join(', ')}`)];
}

/** Browsers that see neither our files nor other programs (Snap and Flatpak), by the directories that they make in a home. */
const SANDBOXED = [
  ['snap/chromium', 'Chromium from Snap'],
  ['.var/app/org.chromium.Chromium', 'Chromium from Flatpak'],
  ['.var/app/com.google.Chrome', 'Chrome from Flatpak'],
  ['.var/app/com.brave.Browser', 'Brave from Flatpak'],
  ['.var/app/com.microsoft.Edge', 'Edge from Flatpak'],
] as const;

function checkSandboxes({ home }: Machine): Check[] {
  const found = SANDBOXED.filter(([directory]) => existsSync(join(home, directory)));
  return found.map(([, title]) => warn('sandbox', `${title} can not start the helper`, "Use the extension alone there, or the browser from its maker's or the distribution's package."));
}

const TRUST_AGAIN = 'Run "firstscreen-helper trust", or "firstscreen-helper untrust" if you do not want it any more.';

/** No authority is as good as a good one: the helper then passes encrypted connections through. */
function checkTrust({ authority, fault, stores }: TrustStatus, now: Date): Check[] {
  const name = 'certificate authority';
  const left = stores.filter(({ state }) => state === 'outdated');
  if (fault !== null) return [warn(name, fault.message, TRUST_AGAIN)];
  if (authority === null) return left.length === 0 ? [pass(name, 'none')] : left.map(({ directory }) => warn(name, `there is none, but ${directory} still has a certificate of one`, TRUST_AGAIN));
  const isEnding = Date.parse(authority.until) - now.getTime() < RENEWAL_DAYS * DAY_MS;
  const until = `good until ${authority.until.slice(0, 10)}`;
  const wanting = stores.filter(({ state }) => state !== 'trusted');
  return [
    isEnding ? warn(name, until, TRUST_AGAIN) : pass(name, until),
    ...wanting.map(({ browser, directory, state }) => warn('trust', state === 'unreadable' ? `what ${browser} trusts in ${directory} can not be read` : `${browser} does not trust it in ${directory}`, state === 'unreadable' ? 'Install certutil (Debian: libnss3-tools) and run this again.' : TRUST_AGAIN)),
  ];
}

/** The arguments of each family of browsers that will start the helper; Chromium's when there is none. */
function callersOf(manifests: readonly ManifestStatus[]): string[][] {
  const firefox = manifests.find(({ browser }) => familyOf(browser) === 'firefox');
  const chromium = manifests.some(({ browser }) => familyOf(browser) === 'chromium') || firefox === undefined;
  return [...(chromium ? [[CHROMIUM_EXTENSION_ORIGIN]] : []), ...(firefox ? [[firefox.manifest, FIREFOX_ADDON_ID]] : [])];
}

/** Says hello as a browser's extension would, then closes the input, at which a helper ends. */
function checkConversation(launcher: string, args: readonly string[]): Check {
  const name = `conversation as ${args.length === 1 ? 'Chromium' : 'Firefox'}`;
  const startedMs = performance.now();
  const { stdout, stderr, error } = spawnSync(launcher, args, { input: encodeMessage(HELLO), timeout: CONVERSATION_LIMIT_MS, killSignal: 'SIGKILL' });
  try {
    if (error !== undefined) throw new FirstscreenError('E_HELPER_UNAVAILABLE', `The helper could not be started or did not end (${reasonOf(error)}).`, INSTALL_AGAIN);
    const payload = welcomeIn(stdout);
    return pass(name, `helper ${payload.helperVersion}, protocol ${payload.protocol}, started and ended in ${Math.round(performance.now() - startedMs)} ms`);
  } catch (error) {
    if (!(error instanceof FirstscreenError)) throw error;
    // null when it could not be started, of which the types do not know
    const lastWords = (stderr as Buffer | null)?.toString().trim().split('\n').at(-1) ?? '';
    return fail(name, `${error.code}: ${error.message}${lastWords === '' ? '' : ` It logged: ${lastWords}`}`, 'Mend what is above first; then install again.');
  }
}

/** Starting Node on a slow, busy machine takes seconds. */
const CONVERSATION_LIMIT_MS = 10_000;
const HELLO: ExtensionMessage = {
  v: PROTOCOL_VERSION,
  id: 0,
  type: 'hello',
  payload: { protocols: [PROTOCOL_VERSION], extensionVersion: HELPER_VERSION, browser: 'none', capabilities: [] },
};

/** @throws FirstscreenError with the helper's own code when it refused, and as FrameParser and parseHelperMessage */
function welcomeIn(output: Uint8Array): HelperMessageOf<'welcome'>['payload'] {
  const [body] = new FrameParser(MAX_FRAME_BYTES).push(output);
  if (body === undefined) throw new FirstscreenError('E_HELPER_UNAVAILABLE', 'The helper ended without an answer.', INSTALL_AGAIN);
  const answer = parseHelperMessage(decodeBody(body));
  if (answer.type === 'welcome') return answer.payload;
  if (answer.type === 'error') throw new FirstscreenError(answer.payload.code, answer.payload.message, answer.payload.next);
  throw new FirstscreenError('E_MESSAGE_ORDER', `The helper answered hello with ${answer.type}.`, INSTALL_AGAIN);
}

export function checksText(checks: readonly Check[]): string {
  const lines = checks.flatMap(({ verdict, name, detail, next }) => [`${verdict.padEnd(6)}${name}: ${detail}`, ...(next === null ? [] : [`      next: ${next}`])]);
  const failures = checks.filter(({ verdict }) => verdict === 'fail').length;
  return [...lines, failures === 0 ? 'The helper is ready.' : `The helper is not ready: ${failures} of ${checks.length} checks failed.`].join('\n');
}
