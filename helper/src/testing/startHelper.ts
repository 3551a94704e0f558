import { fileURLToPath } from 'node:url';
import { CHROMIUM_EXTENSION_ORIGIN } from '../../../shared/src/protocol/identity.ts';
import { HelperClient } from './helperClient.ts';

/** The helper's entry in the source tree, which Node runs as it is. */
export const HELPER_ENTRY = fileURLToPath(new URL('../main.ts', import.meta.url));

/** Starts the helper from source as Chromium would, or with other arguments than Chromium's. */
export function startHelper(args: readonly string[] = [CHROMIUM_EXTENSION_ORIGIN], env: NodeJS.ProcessEnv = {}): HelperClient {
  return new HelperClient(process.execPath, [HELPER_ENTRY, 'host', ...args], { ...process.env, ...env });
}
