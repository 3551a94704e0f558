import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { commandByPath, helperCommand, withHelperPath } from './helperProgram.ts';

const PROGRAM = '~/.local/share/firstscreen/firstscreen-helper.bin';

// each text of _locales is its key, and what is put into it
beforeEach(() => vi.stubGlobal('chrome', { i18n: { getMessage: (key: string, values: readonly string[]) => [key, ...values].join(' ') } }));

it('knows a command of the helper by its path, and no other', () => {
  expect(['firstscreen-helper doctor', 'sudo adduser "$USER" firstscreen', 'firstscreen-helperless', null].map(commandByPath)).toEqual([`${PROGRAM} doctor`, '', '', '']);
});

it('says where the program is after a text that names its command, and nothing after others', () => {
  expect([withHelperPath('Run firstscreen-helper.'), withHelperPath('Start anew.')]).toEqual([`Run firstscreen-helper. helperByPath ${PROGRAM}`, 'Start anew.']);
});

it.each([
  ['Linux', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', PROGRAM],
  ['macOS', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:153.0) Gecko/20100101', 'node ~/Library/Application\\ Support/Firstscreen/firstscreen-helper.mjs'],
])('the path on %s is that of docs/troubleshooting.md', (_, userAgent, path) => {
  vi.stubGlobal('navigator', { userAgent });
  expect(commandByPath(helperCommand('doctor'))).toBe(`${path} doctor`);
  expect(readFileSync(join(import.meta.dirname, '../../../docs/troubleshooting.md'), 'utf8')).toContain(`\`${path}\``);
});
