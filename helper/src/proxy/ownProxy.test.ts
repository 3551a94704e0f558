import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownProxy } from './ownProxy.ts';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'firstscreen-own-proxy-'))));
afterEach(() => rmSync(directory, { recursive: true }));

function program(name: string, output: string): void {
  writeFileSync(join(directory, name), `#!/bin/sh\ncat <<'END'\n${output}\nEND\n`, { mode: 0o755 });
}
const env = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({ PATH: `${directory}:/usr/bin:/bin`, ...more });

describe('the proxy of a user', () => {
  it.each(['http_proxy', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'auto_proxy'])('is found in %s, and its address is not told', async (name) => {
    const found = await ownProxy('linux', env({ [name]: 'http://user:secret@proxy.example:8080' }));
    expect(found).toContain(name);
    expect(found).not.toMatch(/secret|proxy\.example/);
  });

  it('is none where a variable is empty', async () => {
    expect(await ownProxy('linux', { PATH: directory, http_proxy: '' })).toBeNull();
  });

  it.each([["'manual'", true], ["'auto'", true], ["'none'", false], ['', false]])('GNOME: %s', async (mode, isSet) => {
    program('gsettings', mode);
    expect((await ownProxy('linux', env())) !== null).toBe(isSet);
  });

  it.each([
    ['  HTTPEnable : 1\n  HTTPProxy : proxy.example', true],
    ['  HTTPSEnable : 1', true],
    ['  SOCKSEnable : 1', true],
    ['  ProxyAutoConfigEnable : 1', true],
    ['  HTTPEnable : 0\n  FTPPassive : 1', false],
  ])('macOS: %j', async (settings, isSet) => {
    program('scutil', `<dictionary> {\n${settings}\n}`);
    expect((await ownProxy('darwin', env())) !== null).toBe(isSet);
  });

  it('is none where no program can tell', async () => {
    expect(await ownProxy('linux', { PATH: directory })).toBeNull();
  });

  it('is not waited for long', async () => {
    writeFileSync(join(directory, 'gsettings'), '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
    expect(await ownProxy('linux', env())).toBeNull();
  });
});
