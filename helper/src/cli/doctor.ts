import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { CHROMIUM_EXTENSION_ORIGIN, FIREFOX_ADDON_ID } from '../../../shared/src/protocol/identity.ts';
import { FrameParser } from '../../../shared/src/protocol/framing.ts';
import { SILENT_DRIVER } from '../../../shared/src/protocol/driverReportSchema.ts';
import { MAX_FRAME_BYTES, PROTOCOL_VERSION, parseHelperMessage, type ExtensionMessage, type HelperMessageOf } from '../../../shared/src/protocol/native.ts';
import { decodeBody, encodeMessage } from '../host/messageCodec.ts';
import { HELPER_VERSION } from '../version.ts';
import { driverSocketPath } from '../driver/driverMessages.ts';
import { BROWSERS } from './browsers.ts';
import { fail, pass, warn, type Check } from '../../../shared/src/check.ts';
import { askDriver, reportOf, reportOfFailure } from '../driver/driverReport.ts';
import { WRITE_BITS_OF_OTHERS, modeOf } from '../files.ts';
import { reasonOf } from '../../../shared/src/node/reasonOf.ts';
import { commandFiles } from './installedFiles.ts';
import type { Machine } from './machine.ts';
import type { Options } from './options.ts';
import type { Receipt } from './receipt.ts';
import { checkRelay } from './relay.ts';
import { shellWord } from './shellWord.ts';
import { INSTALL_AGAIN, readStatus } from './status.ts';

/** Looks at everything between the browser and a running helper, up to a conversation with it. */
export async function examine(options: Pick<Options, 'scope'>, machine: Machine): Promise<Check[]> {
  const { installation, checks } = readStatus(options, machine);
  if (installation === null) return [...checks];
  const { layout, receipt } = installation;
  return [
    ...checks,
    ...[layout.directory, layout.launcher, layout.receipt, receipt.program, ...commandFiles(receipt).map(({ path }) => path), ...receipt.manifests.map(({ manifest }) => dirname(manifest))].flatMap(checkPermissions),
    await checkDriver(driverSocketPath(machine.env)),
    ...(await checkRelay(machine, hostname())),
    ...callersOf(receipt).map((args) => checkConversation(layout.launcher, args)),
  ];
}

/** The driver is optional: none at all is no fault. */
export async function checkDriver(path: string): Promise<Check> {
  let failure: unknown = null;
  const report = await askDriver(path).then((status) => reportOf(status, true), (error: unknown) => reportOfFailure((failure = error)));
  // the report names doctor as the one who knows why
  if (report === SILENT_DRIVER && failure instanceof FirstscreenError) return warn('driver', failure.message, failure.next);
  const { state, text, detail, nextStep, limits } = report;
  const said = [text, ...limits].join('; ');
  if (state === 'absent' || (state === 'good' && limits.length === 0)) return pass('driver', said);
  return warn('driver', said, state === 'good' ? 'To see more, run: firstscreen-driverd status' : `${detail} ${nextStep ?? ''}`.trim());
}

/** Whoever can write there can make the browser run his own program. */
function checkPermissions(path: string): Check[] {
  const mode = modeOf(path);
  if (mode === null) return [];
  if ((mode & WRITE_BITS_OF_OTHERS) === 0) return [pass('permissions', path)];
  return [warn('permissions', `others may write to ${path} (mode ${mode.toString(8)})`, `Run: chmod go-w ${shellWord(path)}`)];
}

/** The arguments of each family of browsers that will start the helper; Chromium's when there is none. */
function callersOf({ manifests }: Receipt): string[][] {
  const firefox = manifests.find(({ browser }) => BROWSERS[browser].family === 'firefox');
  const chromium = manifests.some(({ browser }) => BROWSERS[browser].family === 'chromium') || firefox === undefined;
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
