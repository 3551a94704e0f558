import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { commandByPath, helperCommand, withHelperPath } from './helperProgram.ts';

const PROGRAM = '~/.local/share/firstscreen/firstscreen-helper.bin';

// each text of _locales is its key, and what is put into it
beforeAll(() => vi.stubGlobal('chrome', { i18n: { getMessage: (key: string, values: readonly string[]) => [key, ...values].join(' ') } }));
afterAll(() => vi.unstubAllGlobals());

it('knows a command of the helper by its path, and no other', () => {
  expect(['firstscreen-helper doctor', 'sudo adduser "$USER" firstscreen', 'firstscreen-helperless', null].map(commandByPath)).toEqual([`${PROGRAM} doctor`, '', '', '']);
});

it('says where the program is after a text that names its command, and nothing after others', () => {
  expect([withHelperPath('Run firstscreen-helper.'), withHelperPath('Start anew.')]).toEqual([`Run firstscreen-helper. helperByPath ${PROGRAM}`, 'Start anew.']);
});

it('the path is that of docs/troubleshooting.md', () => {
  expect(readFileSync(join(import.meta.dirname, '../../../docs/troubleshooting.md'), 'utf8')).toContain(commandByPath(helperCommand('doctor')).replace(' doctor', ''));
});
