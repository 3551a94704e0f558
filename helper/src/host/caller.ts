import { FirstscreenError } from '../../../shared/src/errors.ts';
import { CHROMIUM_EXTENSION_ORIGIN, FIREFOX_ADDON_ID, chromiumOrigin } from '../../../shared/src/protocol/identity.ts';

/** The family of the browser that started this process. */
export type Caller = 'chromium' | 'firefox';

/** What the launcher puts before the browser's arguments, once for each extension that may use the helper beside the one with the pinned id. */
export const EXTENSION_OPTION = '--extension-id=';

/**
 * Who started this process, by the arguments that browsers give a native messaging host: Chromium the caller's origin, Firefox the path of the manifest and the
 * add-on's id.
 *
 * The browser has already compared the caller with the manifest; this catches a manifest that was changed to let others in. It is no defence against a program of
 * the same user, which can start the helper with any arguments (and needs no helper to do harm).
 *
 * @throws FirstscreenError E_CALLER
 */
export function identifyCaller(args: readonly string[]): Caller {
  const begin = args.findIndex((argument) => !argument.startsWith(EXTENSION_OPTION));
  const [first, second] = begin < 0 ? [] : args.slice(begin);
  const origins = args.slice(0, Math.max(0, begin)).map((option) => chromiumOrigin(option.slice(EXTENSION_OPTION.length)));
  if (first === CHROMIUM_EXTENSION_ORIGIN || (first !== undefined && origins.includes(first))) return 'chromium';
  if (second === FIREFOX_ADDON_ID) return 'firefox';
  throw new FirstscreenError(
    'E_CALLER',
    `The helper refused to start for ${describe(first)}: only the Firstscreen extension may use it.`,
    'Install the extension that came with this helper, then run "firstscreen-helper install" again, with --extension-id if it was packed with another key.',
  );
}

/** An extension's id is worth telling, to whoever loaded the extension without its key; any other argument could hold anything. */
function describe(argument: string | undefined): string {
  if (argument === undefined) return 'a caller without a name';
  return /^chrome-extension:\/\/[a-p]{32}\/$/.test(argument) ? `the extension ${argument}` : 'an unknown caller';
}
