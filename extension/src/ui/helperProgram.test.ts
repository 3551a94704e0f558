import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { helperCommand, helperCommandByPath, helperPathNote, withHelperPath } from './helperProgram.ts';

// each text of _locales is its key, and what is put into it
beforeAll(() => vi.stubGlobal('chrome', { i18n: { getMessage: (key: string, values: readonly string[]) => [key, ...values].join(' ') } }));
afterAll(() => vi.unstubAllGlobals());

const NOTE = 'helperByPath ~/.local/share/firstscreen/firstscreen-helper.bin';

it('says where the program is after what names its command, and nothing after all else', () => {
  expect(['Run: firstscreen-helper forget', helperCommand('doctor'), 'sudo adduser "$USER" firstscreen', '', null].map(helperPathNote)).toEqual([NOTE, NOTE, '', '', '']);
  expect([withHelperPath('Run firstscreen-helper.'), withHelperPath('Start anew.')]).toEqual([`Run firstscreen-helper. ${NOTE}`, 'Start anew.']);
});

it('the path is that of docs/troubleshooting.md', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/troubleshooting.md'), 'utf8');
  expect(docs).toContain(helperCommandByPath('doctor').replace(' doctor', ''));
});
