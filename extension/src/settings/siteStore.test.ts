import { beforeEach, describe, expect, it, vi } from 'vitest';
import { changeSites, readSites } from './siteStore.ts';
import { fakeStorage } from './testing.ts';

let stored: Record<string, unknown>;
beforeEach(() => {
  stored = {};
  vi.stubGlobal('chrome', { storage: { local: fakeStorage(stored) } });
});

describe('the stored list of sites', () => {
  it('is empty at first, and what it was made after', async () => {
    expect((await readSites()).rules).toEqual([]);
    await changeSites((sites) => sites.switched('a.test', true));
    expect((await readSites()).offHosts).toEqual(['a.test']);
  });

  it('loses no change of two pages at once', async () => {
    await Promise.all(['a.test', 'b.test', 'c.test'].map((host) => changeSites((sites) => sites.switched(host, true))));
    expect((await readSites()).offHosts).toEqual(['a.test', 'b.test', 'c.test']);
  });

  it('counts as empty when it can not be read, and the log says so', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    stored['sites'] = { version: 1, sites: 'secret.test' };
    expect((await readSites()).rules).toEqual([]);
    expect(warn.mock.calls.join()).toContain('E_SITES_FILE');
    expect(warn.mock.calls.join()).not.toContain('secret');
  });

  it('stays as it was when a change fails, and takes the next one', async () => {
    await changeSites((sites) => sites.switched('a.test', true));
    await expect(changeSites(() => { throw new RangeError('no'); })).rejects.toThrow('no');
    await changeSites((sites) => sites.switched('b.test', true));
    expect((await readSites()).offHosts).toEqual(['a.test', 'b.test']);
  });
});
