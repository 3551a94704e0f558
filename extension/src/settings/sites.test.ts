import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { parseExtensionMessage } from '../../../shared/src/protocol/native.ts';
import { siteOfUrl } from './siteName.ts';
import { MAX_SITES, Sites, type SiteRule } from './sites.ts';

const OFF: SiteRule = { host: 'off.test', isOff: true, tunnelOnly: false, dataSaver: 'inherit' };
const CLOSED: SiteRule = { host: 'closed.test', isOff: false, tunnelOnly: true, dataSaver: 'inherit' };
const SAVING: SiteRule = { host: 'saving.test', isOff: false, tunnelOnly: false, dataSaver: 'on' };
const SPENDING: SiteRule = { ...SAVING, host: 'spending.saving.test', dataSaver: 'off' };
const sites = (...rules: readonly SiteRule[]): Sites => rules.reduce((list, rule) => list.with(rule), Sites.NONE);
const many = (count: number): SiteRule[] => Array.from({ length: count }, (_, i) => ({ ...OFF, host: `h${i}.test` }));
const rule = fc.record({ host: fc.constantFrom('a.test', 'b.a.test', 'c.b.a.test', 'b.test', 'localhost', '[::1]'), isOff: fc.boolean(), tunnelOnly: fc.boolean(), dataSaver: fc.constantFrom<SiteRule['dataSaver']>('inherit', 'on', 'off') });

function codeOf(happens: () => unknown): string | null {
  try {
    happens();
  } catch (error) {
    if (error instanceof FirstscreenError && error.next !== '') return error.code;
    throw error;
  }
  return null;
}

describe('a list of sites', () => {
  it.each<[string, string | null, boolean]>([
    ['its host', 'https://off.test/news', true],
    ['a host below it', 'http://www.shop.off.test:8080/', true],
    ['a host that only ends alike', 'https://takeoff.test/', false],
    ['a host with another rule', 'https://closed.test/', false],
    ['a page that is not known: nothing is done for it while any site is off', null, true],
    ['a window that a script has written, of whatever site', 'about:blank', true],
  ])('is off for %s', (_, url, expected) => expect(sites(OFF, CLOSED).isOff(url)).toBe(expected));

  it('is off for no page, known or not, while no site is off', () => {
    expect([sites(CLOSED).isOff(null), Sites.NONE.isOff('https://off.test/')]).toEqual([false, false]);
  });

  it.each<[string, string | null, boolean, boolean]>([
    ['a site that says nothing', 'https://a.test/', false, true],
    ['a site for which it is on, and what is below', 'https://www.img.saving.test/', true, true],
    ['one below it that says otherwise', 'http://spending.saving.test/', false, false],
    ['a page of the browser', 'chrome://settings/', false, false],
    ['a page that is not known, while a site may say otherwise', null, false, false],
  ])('saves data of %s: with the setting off %j, and on', (_, url, off, on) => {
    expect([false, true].map((inGeneral) => sites(SAVING, SPENDING, OFF).savesData(url, inGeneral))).toEqual([off, on]);
  });

  it('saves data of a page that is not known by the setting alone, and says whether it does of any', () => {
    expect([sites(SAVING).savesData(null, true), sites(SAVING).savesData(null, false)]).toEqual([true, false]);
    expect([sites(SAVING).savesAnywhere(false), sites(SPENDING).savesAnywhere(false), sites(SPENDING).savesAnywhere(true)]).toEqual([true, false, true]);
    expect(sites(SAVING, SPENDING, OFF).dataSaverHosts).toEqual({ on: ['saving.test'], off: ['spending.saving.test'] });
  });

  it('names the site whose rule it is, or the page\'s own', () => {
    const list = sites(OFF);
    expect(list.pageSite('https://www.shop.off.test/')).toEqual({ host: 'off.test', isOff: true });
    expect(list.pageSite('https://www.shop.test/')).toEqual({ host: 'shop.test', isOff: false });
    expect(list.pageSite('about:blank')).toBeNull();
  });

  it('is sorted by name; of what is off nothing is opened either', () => {
    const list = sites(OFF, CLOSED, { ...SAVING, host: 'a.test', dataSaver: 'inherit' });
    expect(list.rules.map(({ host }) => host)).toEqual(['a.test', 'closed.test', 'off.test']);
    expect([list.offHosts, list.tunnelOnlyHosts]).toEqual([['off.test'], ['closed.test', 'off.test']]);
  });

  it('is switched off and on again for a page without a trace, and keeps what else was decided', () => {
    expect(Sites.NONE.switched('a.test', true).rules).toEqual([{ ...OFF, host: 'a.test' }]);
    expect(sites(OFF).switched('off.test', false).rules).toEqual([]);
    expect(sites(CLOSED).switched('closed.test', true).switched('closed.test', false).rules).toEqual([CLOSED]);
    expect(sites(SAVING).switched('saving.test', true).switched('saving.test', false).rules).toEqual([SAVING]);
  });

  it('any page is off after it was switched off, and on after it was switched on, and other sites stay', () => {
    fc.assert(
      fc.property(fc.array(rule), rule, fc.boolean(), (rules, { host }, isOff) => {
        const before = sites(...rules);
        const after = before.switched(host, isOff);
        expect(after.isOff(`https://${host}/`)).toBe(isOff);
        for (const other of ['b.test', 'localhost'].filter((each) => each !== host)) expect(after.isOff(`http://${other}/`)).toBe(before.isOff(`http://${other}/`));
        expect(after.rules.filter(({ tunnelOnly }) => tunnelOnly).map((each) => each.host)).toEqual(before.rules.filter(({ tunnelOnly }) => tunnelOnly).map((each) => each.host));
      }),
    );
  });

  it('merges with another one, whose rules count for hosts that both have', () => {
    expect(sites(OFF, CLOSED).merged(sites({ ...CLOSED, isOff: true })).rules).toEqual([{ ...CLOSED, isOff: true }, OFF]);
  });

  it('loses a site that is removed, and nothing when it has none', () => {
    expect(sites(OFF, CLOSED).without('off.test').rules).toEqual([CLOSED]);
    expect(sites(OFF).without('a.test').rules).toEqual([OFF]);
    expect([sites(OFF).rule('off.test'), sites(OFF).rule('a.off.test')]).toEqual([OFF, { ...OFF, host: 'a.off.test', isOff: false }]);
  });

  it('holds its limit, and not one more', () => {
    const list = Sites.parse({ version: 2, sites: many(MAX_SITES) });
    expect(list.rules).toHaveLength(MAX_SITES);
    expect(() => parseExtensionMessage({ v: 1, id: 0, type: 'tunnelOnly', payload: { hosts: list.tunnelOnlyHosts } }), 'the helper takes as many').not.toThrow();
    expect(codeOf(() => list.with(CLOSED))).toBe('E_SITES_FULL');
    expect(codeOf(() => list.with({ ...OFF, host: 'h7.test' }))).toBeNull();
    expect(codeOf(() => list.merged(sites(CLOSED)))).toBe('E_SITES_FULL');
  });
});

it('every site is a host that the helper takes', () => {
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.ipV6().map((address) => `[${address}]`), fc.ipV4()), (host) => {
      const site = siteOfUrl(`https://${host}/`);
      if (site !== null) expect(() => parseExtensionMessage({ v: 1, id: 0, type: 'forget', payload: { site } })).not.toThrow();
    }),
  );
});

describe('a file of sites', () => {
  it('says the same when it is read again', () => {
    fc.assert(
      fc.property(fc.array(rule), (rules) => {
        expect(Sites.parseFile(sites(...rules).file).rules).toEqual(sites(...rules).rules);
      }),
    );
  });

  it('of the version before is read: nothing is said of the data saver', () => {
    const before = (of: SiteRule): object => ({ host: of.host, isOff: of.isOff, tunnelOnly: of.tunnelOnly });
    expect(Sites.parseFile(JSON.stringify({ version: 1, sites: [before(OFF), before(CLOSED)] })).rules).toEqual([CLOSED, OFF]);
  });

  it.each<[string, string, string]>([
    ['no JSON', 'off.test', 'E_SITES_FILE'],
    ['nothing', '', 'E_SITES_FILE'],
    ['another thing in JSON', '[]', 'E_SITES_FILE'],
    ['settings of something else', '{"version":"1.2","sites":[]}', 'E_SITES_FILE'],
    ['a later version', '{"version":3,"sites":{}}', 'E_SITES_VERSION'],
    ['a key too many', JSON.stringify({ version: 2, sites: [], more: 1 }), 'E_SITES_FILE'],
    ['a rule that lacks something', JSON.stringify({ version: 2, sites: [{ host: 'a.test', isOff: true }] }), 'E_SITES_FILE'],
    ['a rule of this version in one before', JSON.stringify({ version: 1, sites: [SAVING] }), 'E_SITES_FILE'],
    ['a word for the data saver that is none', JSON.stringify({ version: 2, sites: [{ ...OFF, dataSaver: 'maybe' }] }), 'E_SITES_FILE'],
    ['a pattern as a host', JSON.stringify({ version: 2, sites: [{ ...OFF, host: '*' }] }), 'E_SITES_FILE'],
    ['a host that is no site\'s name', JSON.stringify({ version: 2, sites: [{ ...OFF, host: 'www.a.test' }] }), 'E_SITES_FILE'],
    ['more than fit', JSON.stringify({ version: 2, sites: many(MAX_SITES + 1) }), 'E_SITES_FULL'],
  ])('that holds %s is refused with a code and the next step', (_, text, code) => expect(codeOf(() => Sites.parseFile(text))).toBe(code));

  it('is read, or refused with a code, whatever is in it', () => {
    const junk = fc.record({ version: fc.oneof(fc.constantFrom(1, 2), fc.jsonValue()), sites: fc.oneof(fc.array(fc.oneof(rule, fc.jsonValue())), fc.jsonValue()) });
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json(), junk.map((value) => JSON.stringify(value))), (text) => [null, 'E_SITES_FILE', 'E_SITES_VERSION'].includes(codeOf(() => Sites.parseFile(text)))));
  });
});
