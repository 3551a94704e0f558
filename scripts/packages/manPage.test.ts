import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { COMMANDS, OPTIONS } from '../../helper/src/cli/commandTable.ts';
import { manPage } from './manPage.ts';

describe('the manual page', () => {
  const text = manPage('1.2.3', '2026-11-26');

  it('names the release, every command and every option', () => {
    expect(text).toMatch(/^\.TH FIRSTSCREEN\\-HELPER 1 "2026-11-26" "Firstscreen 1\.2\.3"/);
    for (const command of COMMANDS) expect(text).toMatch(new RegExp(`^\\.B ${command}$`, 'm'));
    expect(text).toMatch(/^\.B relay add HOST:PORT FINGERPRINT$/m);
    for (const name of Object.keys(OPTIONS)) expect(text).toContain(`\\-\\-${name.replaceAll('-', '\\-')}`);
  });

  it('is one that man sets without a complaint', (context) => {
    const { error, stderr, stdout } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-z'], { input: text, encoding: 'utf8' });
    if (error !== undefined) context.skip('needs groff');
    expect([stderr, stdout]).toEqual(['', '']);
  });
});
