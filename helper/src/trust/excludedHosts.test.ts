import fc from 'fast-check';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryMachine } from '../testing/temporaryMachine.ts';
import { exclusionOf, neverInterceptPath, parseNeverIntercept, readExcludedHosts } from './excludedHosts.ts';
import { OWN_EXCLUSIONS } from './ownExclusions.ts';

describe('our own exclusions', () => {
  it.each([
    ['bank or payment', ['www.deutsche-bank.de', 'www.hsbc.co.uk', 'www.paypal.com', 'api.stripe.com', 'example.bank', 'pay.example.com', 'WWW.CHASE.COM.', 'www.sparkasse-ulm.de']],
    ['health', ['www.nhs.uk', 'www.doctolib.fr', 'mychart.example.org', 'www.klinikum.de']],
    ['government', ['www.irs.gov', 'www.gov.uk', 'impots.gouv.fr', 'www.gob.mx', 'ec.europa.eu', 'www.nta.go.jp', 'www.army.mil']],
    ['sign-in', ['accounts.google.com', 'login.microsoftonline.com', 'example.okta.com', 'sso.example.co.uk']],
    ['password manager', ['my.1password.com', 'vault.bitwarden.com']],
    ['updates and stores', ['clients2.google.com', 'addons.mozilla.org', 'update.googleapis.com']],
    ['own network', ['localhost', 'a.localhost', 'printer', 'nas.local', 'x.internal', 'router.home.arpa', '10.0.0.1', '127.0.0.1', '172.31.0.1', '192.168.1.1', '169.254.1.1', '100.64.0.1', '[::1]', '[fe80::1]', '[fd00::1]', '::ffff:10.0.0.1', '0.0.0.0']],
    ['no host name', ['', '*.example.com', 'a b', 'fe80::1%eth0', '1.2.3']],
  ])('leave alone: %s', (kind, hosts) => {
    expect(hosts.map((host) => exclusionOf(host))).toEqual(hosts.map(() => kind));
  });

  it('leave the rest of the web to be intercepted', () => {
    const hosts = ['example.com', 'www.bbc.co.uk', 'upload.wikimedia.org', 'id.wikipedia.org', 'login.com', 'www.google.com', 'notchase.com', 'developer.mozilla.org', 'government.example.com', 'local.example.com', '9.9.9.9', '172.32.0.1', '[2620:fe::9]', 'bücher.example'];
    expect(hosts.filter((host) => exclusionOf(host) !== null)).toEqual([]);
  });

  it('are written in the form that they are compared in', () => {
    const written = OWN_EXCLUSIONS.flatMap(({ suffixes, labels = [], words = [], firstLabels = [] }) => [...suffixes, ...labels, ...words, ...firstLabels]);
    expect(written.filter((text) => !/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(text))).toEqual([]);
    expect(OWN_EXCLUSIONS.flatMap(({ labels = [], words = [], firstLabels = [] }) => [...labels, ...words, ...firstLabels]).filter((text) => text.includes('.'))).toEqual([]);
  });
});

describe("the user's list", () => {
  it('takes a host, or with *. everything under it too', () => {
    const { warnings, ...list } = parseNeverIntercept('\ufeff# mine\r\nWWW.example.com\n*.bücher.de # books\n\n  9.9.9.9\n', 'list');
    expect(warnings).toEqual([]);
    expect(['www.example.com', 'bücher.de', 'a.b.xn--bcher-kva.de', '9.9.9.9'].map((host) => exclusionOf(host, list))).toEqual(Array(4).fill('by the user'));
    expect(['example.com', 'a.www.example.com', 'xbücher.de', '9.9.9.10'].map((host) => exclusionOf(host, list))).toEqual(Array(4).fill(null));
  });

  it.each(['https://example.com/', 'a b', 'example.*', '*', '*.', '*.192.0.2.1', 'a..b', '.example.com'])('warns of a line %j, naming it, and uses the others', (line) => {
    const { hosts, domains, warnings } = parseNeverIntercept(`a.example\n${line}\nb.example`, '/list.txt');
    expect([hosts, domains]).toEqual([['a.example', 'b.example'], []]);
    expect(warnings).toMatchObject([{ code: 'E_EXCLUDED_HOSTS', message: expect.stringContaining('Line 2 of /list.txt') as string }]);
  });

  it('never makes it crash, and never lets our own be intercepted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ unit: 'binary' }), (text, host) => {
        const list = parseNeverIntercept(text, 'list');
        exclusionOf(host, list);
        expect(exclusionOf('www.paypal.com', list)).not.toBeNull();
      }),
    );
  });

  it('is read from the configuration directory, need not be there, and stops everything when it can not be read', () => {
    const machine = temporaryMachine('linux');
    const path = neverInterceptPath(machine);
    expect(path.endsWith('/.config/firstscreen/never-intercept.txt')).toBe(true);
    expect(readExcludedHosts(machine).warnings).toEqual([]);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'www.example.com\n??');
    const { isExcluded, warnings } = readExcludedHosts(machine);
    expect([isExcluded('www.example.com'), warnings.length]).toEqual([true, 1]);
    const inTheWay = { ...machine, env: { XDG_CONFIG_HOME: `${dirname(path)}/x` } };
    mkdirSync(neverInterceptPath(inTheWay), { recursive: true });
    expect(() => readExcludedHosts(inTheWay)).toThrow(expect.objectContaining({ code: 'E_EXCLUDED_HOSTS' }) as Error);
  });
});
