import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHROMIUM_EXTENSION_ID, CHROMIUM_EXTENSION_ORIGIN, FIREFOX_ADDON_ID } from '../../../shared/src/protocol/identity.ts';
import { identifyCaller } from './caller.ts';

describe('identifyCaller', () => {
  it('knows the extension by the arguments of each family of browsers', () => {
    expect(identifyCaller([CHROMIUM_EXTENSION_ORIGIN])).toBe('chromium');
    expect(identifyCaller(['/home/u/.mozilla/native-messaging-hosts/org.firstscreen.helper.json', FIREFOX_ADDON_ID])).toBe('firefox');
  });

  it.each([[[]], [['']], [[CHROMIUM_EXTENSION_ORIGIN.slice(0, -1)]], [[CHROMIUM_EXTENSION_ID]], [['', CHROMIUM_EXTENSION_ORIGIN]], [[FIREFOX_ADDON_ID]], [['/manifest.json', 'other@addon']]])('refuses %j', (args) => {
    expect(() => identifyCaller(args)).toThrow(expect.objectContaining({ code: 'E_CALLER' }));
  });

  it('refuses whatever else it is started with, and repeats none of it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 4 })), (args) => {
        expect(() => identifyCaller(args)).toThrow(expect.objectContaining({ code: 'E_CALLER' }));
      }),
    );
    expect(() => identifyCaller(['https://secret.example/?q=1'])).toThrow(expect.objectContaining({ message: expect.not.stringContaining('secret') as string }));
  });

  it('knows the extensions that the launcher names before the arguments of the browser', () => {
    const [own, other] = ['a'.repeat(32), 'b'.repeat(32)];
    expect(identifyCaller([`--extension-id=${other}`, `--extension-id=${own}`, `chrome-extension://${own}/`])).toBe('chromium');
    expect(identifyCaller([`--extension-id=${own}`, CHROMIUM_EXTENSION_ORIGIN])).toBe('chromium');
    for (const args of [[`--extension-id=${own}`, `chrome-extension://${other}/`], [`chrome-extension://${own}/`, `--extension-id=${own}`], [`--extension-id=${own}`], [`--extension-id=${own}`, own]]) {
      expect(() => identifyCaller(args)).toThrow(expect.objectContaining({ code: 'E_CALLER' }));
    }
  });

  it('names an extension that came without its key', () => {
    const other = `chrome-extension://${'a'.repeat(32)}/`;
    expect(() => identifyCaller([other])).toThrow(other);
  });
});
