import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { COMMANDS, OPTIONS, actionsOf, commandsOf } from '../../helper/src/cli/commandTable.ts';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { HELPER_LINE } from './commandLines.ts';
import { bashCompletion, fishCompletion, zshCompletion } from './completions.ts';

let directory: string;

beforeEach(() => {
  directory = temporaryDirectory();
  writeFileSync(join(directory, 'bash'), bashCompletion(HELPER_LINE));
  writeFileSync(join(directory, 'zsh'), zshCompletion(HELPER_LINE));
  writeFileSync(join(directory, 'fish'), fishCompletion(HELPER_LINE));
});

describe('completion in bash', () => {
  /** What bash offers for the last of these words. */
  function offered(...words: string[]): string[] {
    const script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _firstscreen_helper; printf "%s\\n" "${COMPREPLY[@]}"';
    const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', join(directory, 'bash'), 'firstscreen-helper', ...words], { encoding: 'utf8', cwd: directory });
    expect(stderr).toBe('');
    return stdout.split('\n').filter((line) => line !== '');
  }

  it.each([
    [[''], [...COMMANDS, '--version', '--help']],
    [['un'], ['uninstall', 'untrust']],
    [['--v'], ['--version']],
    [['install', '--browser', ''], ['chromium', 'chrome', 'brave', 'edge', 'firefox', 'all']],
    [['install', '--browser', 'ch'], ['chromium', 'chrome']],
    [['install', '--extension-id', ''], []],
    [['forget', '--'], ['--site', '--dry-run', '--json']],
    [['trust', '--'], ['--yes', '--dry-run', '--json']],
    [['relay', ''], ['setup', 'add', 'status', 'terminate', 'remove', '--address', '--program', '--far', '--system', '--dry-run', '--json']],
    [['relay', 'st'], ['status']],
    [['relay', 'status', ''], ['--address', '--program', '--far', '--system', '--dry-run', '--json']],
    [['--json', 'status', '--'], ['--system', '--dry-run', '--json']],
  ])('offers for %j', (words, wanted) => {
    expect(offered(...words)).toEqual(wanted);
  });

  it('offers each command exactly the options that it takes', () => {
    for (const command of COMMANDS) {
      const wanted = Object.keys(OPTIONS).filter((name) => !['help', 'version'].includes(name) && commandsOf(name)?.includes(command) !== false);
      expect(offered(command, '--')).toEqual(wanted.map((name) => `--${name}`));
    }
  });
});

it('zsh takes no colon of a value for the end of what it shows', () => expect(zshCompletion(HELPER_LINE)).toContain(':HOST\\:PORT: '));

describe.each(['zsh', 'fish'])('completion in %s', (shell) => {
  const text = (): string => (shell === 'zsh' ? zshCompletion : fishCompletion)(HELPER_LINE);

  it('names every command and option', () => {
    for (const command of COMMANDS) for (const word of [command, ...actionsOf(command).map(([name]) => name)]) expect(text()).toContain(word);
    for (const name of Object.keys(OPTIONS)) expect(text()).toMatch(new RegExp(shell === 'zsh' ? `--${name}\\[` : ` -l ${name} `));
  });

  it('is one that the shell can read', () => {
    const { error, status, stderr } = spawnSync(shell, ['-n', join(directory, shell)], { encoding: 'utf8' });
    expect([error, status, stderr]).toEqual([undefined, 0, '']);
  });
});
