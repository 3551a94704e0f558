import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HANDED_OVER, requestDataConsent, watchDataConsent } from './dataConsent.ts';
import { fakeStorage } from './testing.ts';

const declared = [...new Set(Object.values(HANDED_OVER).flat())].sort();
const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

describe('what is handed to the helper', () => {
  it('is what the manifest declares, as optional', () => {
    const manifest = JSON.parse(read('extension/src/manifest/firefox.json')) as { browser_specific_settings: { gecko: { data_collection_permissions: { required: string[]; optional: string[] } } } };
    const { required, optional } = manifest.browser_specific_settings.gecko.data_collection_permissions;
    expect(required).toEqual(['none']);
    expect(optional.toSorted()).toEqual(declared);
  });

  it('is what docs/privacy.md tells of each switch', () => {
    const [, table = ''] = read('docs/privacy.md').split('## What Firefox asks for');
    for (const [setting, data] of Object.entries(HANDED_OVER)) {
      const cell = table.split('\n').find((line) => line.startsWith(`| \`${setting}\``))?.split('|')[2] ?? '';
      expect([setting, [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()]).toEqual([setting, [...data].sort()]);
    }
  });
});

describe('consent', () => {
  let asked: unknown[];
  let written: unknown[];
  let session: Record<string, unknown>;
  let added: (permissions: object) => void;
  let removed: (permissions: object) => void;

  beforeEach(() => {
    vi.useFakeTimers();
    asked = [];
    written = [];
    session = {};
  });
  afterEach(() => vi.useRealTimers());

  /** @param answer null: the popup is closed before it comes */
  function inBrowser(scheme: string, answer: boolean | null): void {
    vi.stubGlobal('chrome', {
      runtime: { getURL: () => `${scheme}://id/` },
      permissions: {
        request: (permissions: unknown) => {
          asked.push(permissions);
          return answer === null ? new Promise(() => undefined) : Promise.resolve(answer);
        },
        onAdded: { addListener: (listener: typeof added) => (added = listener) },
        onRemoved: { addListener: (listener: typeof removed) => (removed = listener) },
      },
      storage: {
        local: { set: (changes: unknown) => Promise.resolve(written.push(changes)) },
        session: fakeStorage(session),
      },
    });
  }

  it.each([true, false])('is what the user of Firefox answers: %j', async (answer) => {
    inBrowser('moz-extension', answer);
    expect(await requestDataConsent('connections')).toBe(answer);
    expect(asked).toEqual([{ data_collection: ['browsingActivity', 'websiteContent'] }]);
    expect(session).toEqual({});
  });

  it.each([
    ['at once', 1_000, [{ remember: true }]],
    ['much later, for something else', 600_000, []],
  ])('that is given when the popup has gone turns on what was asked for: %s', async (_, passedMs, changes) => {
    inBrowser('moz-extension', null);
    watchDataConsent();
    void requestDataConsent('remember');
    await vi.advanceTimersByTimeAsync(passedMs);
    added({ data_collection: ['browsingActivity'] });
    await vi.advanceTimersByTimeAsync(0);
    expect(written).toEqual(changes);
    expect(session).toEqual({});
    // on its page of extensions, without a switch that anybody has touched
    added({ data_collection: ['websiteActivity'] });
    await vi.advanceTimersByTimeAsync(0);
    expect(written).toEqual(changes);
  });

  it.each([
    ['chrome-extension', 'connections'],
    ['moz-extension', 'enabled'],
    ['moz-extension', 'toString'],
  ])('is not asked for where there is nothing to agree to: %s, %s', async (scheme, setting) => {
    inBrowser(scheme, false);
    expect(await requestDataConsent(setting)).toBe(true);
    expect(asked).toEqual([]);
  });

  it.each([
    [['websiteActivity'], [{ nextPage: false }]],
    [['websiteContent', 'websiteActivity'], [{ connections: false, nextPage: false, relay: false }]],
    [['browsingActivity'], [{ remember: false, connections: false, nextPage: false, relay: false }]],
    [[], []],
    [undefined, []],
  ])('that is taken back turns off what needs it: %j', (data, changes) => {
    inBrowser('moz-extension', true);
    watchDataConsent();
    removed(data === undefined ? { origins: ['http://*/*'] } : { data_collection: data });
    expect(written).toEqual(changes);
  });
});
