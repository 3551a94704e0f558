import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FIREFOX_ADDON_ID } from '../../shared/src/protocol/identity.ts';
import { NATIVE_HOST_NAME } from '../../shared/src/protocol/native.ts';

/** Makes a script the helper of a Chromium. @param profile its user data directory, where the script goes, too. @param origin of the extension that may start it */
export function writeChromiumHelper(profile: string, script: string, origin: string): Promise<void> {
  return writeHelper(profile, 'NativeMessagingHosts', script, { allowed_origins: [origin] });
}

/** The same of a Firefox. @param home the home directory that it is started with */
export function writeFirefoxHelper(home: string, script: string): Promise<void> {
  return writeHelper(home, '.mozilla/native-messaging-hosts', script, { allowed_extensions: [FIREFOX_ADDON_ID] });
}

async function writeHelper(dir: string, manifests: string, script: string, allowed: object): Promise<void> {
  const program = path.join(dir, 'helper');
  await writeFile(program, script, { mode: 0o755 });
  await mkdir(path.join(dir, manifests), { recursive: true });
  await writeFile(path.join(dir, manifests, `${NATIVE_HOST_NAME}.json`), JSON.stringify({ name: NATIVE_HOST_NAME, description: 'test', path: program, type: 'stdio', ...allowed }));
}
