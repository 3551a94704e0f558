import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { CHROMIUM_EXTENSION_ID, FIREFOX_ADDON_ID } from '../../../shared/src/protocol/identity.ts';
import { temporaryMachine, type TemporaryMachine } from '../testing/temporaryMachine.ts';
import { HELPER_VERSION } from '../version.ts';
import { checkExtensions } from './extensionVersions.ts';

describe('extensions that are installed', () => {
  let machine: TemporaryMachine;
  beforeEach(() => void (machine = temporaryMachine('linux')));

  const OWN_ID = 'abcdefghijklmnop'.repeat(2);
  const inChromium = (id: string, ...versions: string[]) => {
    for (const version of versions) mkdirSync(join(machine.home, '.config/chromium/Default/Extensions', id, version), { recursive: true });
  };
  function inFirefox(text: string): void {
    const list = join(machine.home, '.mozilla/firefox/x.default/extensions.json');
    mkdirSync(dirname(list), { recursive: true });
    writeFileSync(join(machine.home, '.mozilla/firefox/profiles.ini'), '[Profile0]\nPath=x.default\n');
    writeFileSync(list, text);
  }
  const checks = () => checkExtensions([OWN_ID], machine).map(({ verdict, detail }) => [verdict, detail]);

  it('are none where no browser has one', () => {
    expect(checks()).toEqual([]);
  });

  it('are told with their version where they fit', () => {
    inChromium(OWN_ID, `${HELPER_VERSION}_0`);
    inFirefox(JSON.stringify({ addons: [{ id: 'other@a.test' }, { id: FIREFOX_ADDON_ID, version: HELPER_VERSION, more: 1 }] }));
    expect(checks()).toEqual([['pass', `Chromium has ${HELPER_VERSION}`], ['pass', `Firefox has ${HELPER_VERSION}`]]);
  });

  it('are told with the side to bring up to date where they do not; the newest counts', () => {
    inChromium(CHROMIUM_EXTENSION_ID, '0.0.9_0', '99.9.0_0', '99.10.0_1', 'Temp');
    inFirefox(JSON.stringify({ addons: [{ id: FIREFOX_ADDON_ID, version: '0.0.1' }] }));
    expect(checks()).toEqual([
      ['warn', `Chromium: The helper (${HELPER_VERSION}) is older than the extension (99.10.0)`],
      ['warn', `Firefox: The extension (0.0.1) is older than the helper (${HELPER_VERSION})`],
    ]);
  });

  it.each(['', '{', '[]', '{"addons":[{"id":1}]}'])('are passed over in a list of Firefox that can not be read: %j', (text) => {
    inFirefox(text);
    expect(checks()).toEqual([]);
  });
});
