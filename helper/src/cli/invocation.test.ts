import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryMachine, type TemporaryMachine } from '../testing/temporaryMachine.ts';
import { invocationOf, withInvocation, type Invocation } from './invocation.ts';

const EXECUTABLE = { nodePath: null, nodeVersion: 'v24.0.0', entry: '/home/a/firstscreen-helper-0.1.0-linux-x64' };

describe('what runs the helper here', () => {
  let machine: TemporaryMachine;
  beforeEach(() => (machine = temporaryMachine('linux')));

  function put(path: string, mode = 0o755): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '', { mode });
  }
  const inPath = (...directories: string[]) => ({ root: machine.root, env: { PATH: directories.join(':') } });

  it('is the name of the command where the shell finds it, for sudo only where sudo does', () => {
    const own = join(machine.home, '.local/bin');
    put(join(own, 'firstscreen-helper'));
    expect(invocationOf(EXECUTABLE, inPath('/none', own))).toEqual({ asUser: 'firstscreen-helper', asRoot: EXECUTABLE.entry });
    put(join(machine.root, 'usr/bin/firstscreen-helper'));
    expect(invocationOf(EXECUTABLE, inPath())).toEqual({ asUser: EXECUTABLE.entry, asRoot: 'firstscreen-helper' });
  });

  it('is the full path where it does not, in quotes where a shell needs them', () => {
    put(join(machine.home, 'bin/firstscreen-helper'), 0o644);
    expect(invocationOf(EXECUTABLE, inPath(join(machine.home, 'bin'))).asUser).toBe(EXECUTABLE.entry);
    expect(invocationOf({ ...EXECUTABLE, entry: "/home/a b/it's" }, { ...machine, env: {} }).asUser).toBe(`'/home/a b/it'\\''s'`);
    expect(invocationOf({ ...EXECUTABLE, nodePath: '/usr/bin/node', entry: '/opt/helper.mjs' }, machine).asUser).toBe('/usr/bin/node /opt/helper.mjs');
  });
});

const HERE: Invocation = { asUser: '/a/helper', asRoot: '/b/helper' };

it.each([
  ['Run "firstscreen-helper install".', 'Run "/a/helper install".'],
  ['Run: sudo firstscreen-helper uninstall --policy', 'Run: sudo /b/helper uninstall --policy'],
  ['firstscreen-helper doctor, then firstscreen-helper trust', '/a/helper doctor, then /a/helper trust'],
  ['See "firstscreen-helper --help".', 'See "/a/helper --help".'],
  ['firstscreen-helper: that did not work', 'firstscreen-helper: that did not work'],
  ['/usr/lib/firstscreen/firstscreen-helper is missing', '/usr/lib/firstscreen/firstscreen-helper is missing'],
  ['Usage: firstscreen-helper COMMAND [options]', 'Usage: firstscreen-helper COMMAND [options]'],
])('%s: is said as %s', (text, said) => expect(withInvocation(text, HERE)).toBe(said));
