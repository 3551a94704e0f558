import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import fc from 'fast-check';
import { namesProxy, ownProxy as ownProxyOf } from './ownProxy.ts';

let directory: string;
beforeEach(() => (directory = temporaryDirectory()));

function program(name: string, output: string): void {
  writeFileSync(join(directory, name), `#!/bin/sh\ncat <<'END'\n${output}\nEND\n`, { mode: 0o755 });
}
/** Longer than commands take on a busy machine. */
const PATIENCE_MS = 60_000;
function ownProxy(platform: NodeJS.Platform, variables: NodeJS.ProcessEnv, limitMs = PATIENCE_MS): Promise<string | null> {
  return ownProxyOf({ platform, home: '/nowhere', env: variables }, limitMs);
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
    ['no proxy', 'ProxyType=0', false],
    ['a fixed one', 'httpProxy=http://proxy.example 8080\nProxyType=1', true],
    ['a script', 'ProxyType=2', true],
    ['one that is looked for (WPAD)', 'ProxyType=3', true],
    ['locked by the administrator', 'ProxyType[$i]=1', true],
    ["the environment's", 'ProxyType=4\nhttpProxy=MY_PROXY', true],
    ["the environment's, which has none", 'ProxyType=4\nhttpProxy=NO_SUCH', false],
    ['in another section', 'ProxyType=0\n[Other]\nProxyType=1', false],
  ])('KDE: %s', async (_case, settings, isSet) => {
    writeFileSync(join(directory, 'kioslaverc'), `[$Version]\nProxyType=1\n[Proxy Settings]\n${settings}\n`);
    const kde = env({ XDG_CURRENT_DESKTOP: 'KDE', MY_PROXY: 'http://proxy.example', XDG_CONFIG_DIRS: '' });
    expect((await ownProxy('linux', { ...kde, XDG_CONFIG_HOME: directory })) !== null).toBe(isSet);
    expect((await ownProxy('linux', { ...kde, XDG_CONFIG_HOME: '/nowhere', XDG_CONFIG_DIRS: `/nowhere:${directory}` })) !== null, 'set for all users').toBe(isSet);
    expect(await ownProxy('linux', { ...kde, XDG_CONFIG_HOME: directory, XDG_CURRENT_DESKTOP: 'XFCE' }), 'in another desktop').toBeNull();
  });

  it("KDE: what is in other sections of its settings does not count, whatever it is", () => {
    const other = fc.array(fc.oneof(fc.string(), fc.constantFrom('ProxyType=1', 'ProxyType[$i]=3', 'httpProxy=PATH', '=')).filter((line) => !/\[Proxy Settings\]/.test(line)));
    fc.assert(
      fc.property(fc.constantFrom('0', '1', '2', '3', '4', '__proto__'), other, other, (kind, before, after) => {
        const own = `[Proxy Settings]\nProxyType=${kind}`;
        expect(namesProxy([...before, own, '[Other]', ...after].join('\n'), process.env)).toBe(namesProxy(own, process.env));
      }),
    );
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
    writeFileSync(join(directory, 'gsettings'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
    expect(await ownProxy('linux', env(), 50)).toBeNull();
  });
});
