import fc from 'fast-check';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryMachine } from '../testing/temporaryMachine.ts';
import { firefoxProfiles, parseProfilesIni } from './firefoxProfiles.ts';

const GOOD = '[Profile1]\nName=default\nIsRelative=1\nPath=a.default\nDefault=1\n\n[Profile0]\r\nName=esr\r\nIsRelative=0\r\nPath=/elsewhere/my profile\r\n\n[General]\nStartWithLastProfile=1\n\n[Install4F96D1932A9F858E]\nDefault=a.default\nPath=not.this\n';

describe('profiles.ini', () => {
  it.each([
    ['names profiles, relative to itself or anywhere', GOOD, ['/root/a.default', '/elsewhere/my profile']],
    ['may be empty', '', []],
    ['may hold junk', 'Path=before\n[Profile\nPath=broken\n[Profile0]\nPath\nPath=\n=x\n\0\x01[[]]\n[ProfileX]\nPath=x\n[Profile7]\nPath=good\n[Other]\nPath=y', ['/root/good']],
    ['may hold bytes that no path has', '[Profile0]\nPath=a\0b', []],
  ])('%s', (_case, text, paths) => {
    expect(parseProfilesIni(text, '/root')).toEqual(paths);
  });

  it('never makes anything crash', () => {
    const line = fc.oneof(fc.constantFrom('[Profile0]', '[General]', 'Path='), fc.string({ unit: 'binary' }).map((text) => `Path=${text}`));
    fc.assert(fc.property(fc.array(line), (lines) => parseProfilesIni(lines.join('\n'), '/root').every((path) => path.startsWith('/'))));
  });

  it('is looked for where Firefox, its Snap and its Flatpak keep it; a directory in its place is passed over', () => {
    const machine = temporaryMachine('linux');
    const roots = ['.mozilla/firefox', '.config/mozilla/firefox', 'snap/firefox/common/.mozilla/firefox', '.var/app/org.mozilla.firefox/.mozilla/firefox'].map((place) => join(machine.home, place));
    for (const root of roots) mkdirSync(root, { recursive: true });
    for (const root of roots.slice(0, 3)) writeFileSync(join(root, 'profiles.ini'), '[Profile0]\nPath=p');
    mkdirSync(join(roots[3] ?? '', 'profiles.ini'));
    expect(firefoxProfiles(machine)).toEqual(roots.slice(0, 3).map((root) => join(root, 'p')));
    const onMac = join(machine.home, 'Library/Application Support/Firefox');
    mkdirSync(onMac, { recursive: true });
    writeFileSync(join(onMac, 'profiles.ini'), '[Profile0]\nPath=Profiles/p');
    expect(firefoxProfiles({ ...machine, platform: 'darwin' })).toEqual([join(onMac, 'Profiles/p')]);
  });
});
