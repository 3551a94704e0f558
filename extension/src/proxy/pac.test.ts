import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostTable, isOffHost, pacScript } from './pac.ts';

const ARMING_HOST = 'secret.invalid';

/** The script in a browser that has just loaded it: alone. */
function load(leftHosts: readonly string[] = [], followsAtMs: number | null = null, offHosts: readonly string[] = []): (host: string) => unknown {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the script is what is tested
  const findProxyForURL = (new Function(`${pacScript({ port: 4711, ownHost: 'own.invalid', leftHosts, offHosts, armingHost: ARMING_HOST, followsAtMs })}; return FindProxyForURL`) as () => (url: string, host: string) => unknown)();
  return (host) => findProxyForURL(`http://${host}/`, host);
}

/** The same, once the extension has armed it. */
function find(url: string, leftHosts: readonly string[] = []): unknown {
  const run = load(leftHosts);
  run(ARMING_HOST);
  return run(new URL(url).hostname);
}

const HELPER = 'PROXY 127.0.0.1:4711; DIRECT';

describe('PAC script', () => {
  it.each(['http://a.test/', 'https://www.example.com/x?y', 'http://8.8.8.8/', 'http://172.32.0.1/', 'http://100.128.0.1/', 'http://[2001:db8::1]/', 'http://localhost.example.com/', 'http://constructor.com/'])('%s goes to the helper, and to the server itself when there is none', (url) => {
    expect(find(url)).toBe(HELPER);
  });

  it.each([
    'http://localhost/', 'http://app.localhost/', 'http://127.0.0.1:8080/', 'http://[::1]/', 'http://printer/', 'http://printer.local/', 'http://nas.lan/', 'http://10.1.2.3/', 'http://192.168.1.1/',
    'http://172.16.0.1/', 'http://172.31.255.255/', 'http://169.254.169.254/', 'http://100.64.0.1/', 'http://[fe80::1]/', 'http://[fd00::1]/', 'http://router.home.arpa/',
  ])('%s is near: the browser goes there itself', (url) => expect(find(url)).toBe('DIRECT'));

  it('names the helper to a browser only once the extension has armed it there', () => {
    const run = load();
    expect([run('a.test'), run('other.invalid'), run('a.test')]).toEqual(['DIRECT', 'DIRECT', 'DIRECT']);
    expect(run(ARMING_HOST)).not.toContain('4711');
    expect(run('a.test')).toBe(HELPER);
  });

  it('goes on to name the helper where it comes after a script that was armed, if it is loaded at once', () => {
    expect(load([], Date.now())('a.test')).toBe(HELPER);
    expect(load(['a.test'], Date.now())('a.test')).toBe('DIRECT');
    // in a browser that was started later, whatever its clock says
    for (const elsewhereMs of [-1_000_000, -1_000, 1_500, 1_000_000]) expect(load([], Date.now() + elsewhereMs)('a.test')).toBe('DIRECT');
  });

  it('sends any host to the helper or to itself, whatever the host and the hosts that were left', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.domain(), fc.ipV4(), fc.ipV6()), fc.array(fc.oneof(fc.string(), fc.domain())), (host, left) => {
        const run = load([...left, host.toLowerCase().replace(/\.$/, '')]);
        if (host !== ARMING_HOST) expect(run(host)).toBe('DIRECT');
        run(ARMING_HOST);
        if (host !== ARMING_HOST) expect(run(host)).toBe('DIRECT');
        expect([HELPER, 'DIRECT']).toContain(run(`${host}x`));
      }),
    );
  });

  it.each(['a.test.', '..', 'a.test..', '[2001:db8::7].'])('a host that the helper has left, however many dots it ends with: %s', (host) => {
    const run = load([host.replace(/\.$/, '')]);
    run(ARMING_HOST);
    expect(run(host)).toBe('DIRECT');
  });

  it('hosts that the helper has left, and they alone', () => {
    const left = ['left.test', 'dot.test.', '__proto__', 'to"string', '[2001:db8::7]'];
    const armed = load(left);
    armed(ARMING_HOST);
    expect([find('http://dot.test./', left), find('http://dot.test/', left), find('http://[2001:db8::7]/', left), armed('2001:db8::7')]).toEqual(Array.from({ length: 4 }, () => 'DIRECT'));
    expect([find('http://left.test/', left), find('http://LEFT.test./', left), find('http://other.left.test/', left), find('http://to.string/', left)]).toEqual(['DIRECT', 'DIRECT', HELPER, HELPER]);
  });

  it('hosts of sites that are off, and all below them', () => {
    const run = load([], null, ['off.test', '[2001:db8::7]', '__proto__']);
    run(ARMING_HOST);
    for (const host of ['off.test', 'OFF.test.', 'www.off.test', 'a.b.off.test', '2001:db8::7']) expect(run(host), host).toBe('DIRECT');
    for (const host of ['takeoff.test', 'off.test.com', 'test.com', 'constructor.com', '2001:db8::8']) expect(run(host), host).toBe(HELPER);
  });

  it('sends any host below a site that is off to itself, and others as ever', () => {
    fc.assert(
      fc.property(fc.domain(), fc.domain(), (off, other) => {
        const run = load([], null, [off]);
        run(ARMING_HOST);
        expect(run(`www.${off}`)).toBe('DIRECT');
        expect(run(other)).toBe(isOffHost(other, hostTable([off])) ? 'DIRECT' : find(`http://${other}/`));
      }),
    );
  });

  it('sends to a relay what is encrypted, and nothing else but the question whether it is there', () => {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the script is what is tested
    const findProxyForURL = (new Function(`${pacScript({ relayHost: 'relay.test', port: 8443, ownHost: 'own.invalid', leftHosts: ['relay.test'], offHosts: [], armingHost: ARMING_HOST, followsAtMs: null })}; return FindProxyForURL`) as () => (url: string, host: string) => unknown)();
    const ask = (url: string): unknown => findProxyForURL(url, new URL(url).hostname);
    expect([ask('https://a.test/'), ask('http://own.invalid/')]).toEqual(['DIRECT', 'HTTPS relay.test:8443']);
    ask(`http://${ARMING_HOST}/`);
    expect(['https://a.test/', 'wss://a.test/'].map(ask)).toEqual(Array.from({ length: 2 }, () => 'HTTPS relay.test:8443; DIRECT'));
    for (const url of ['http://a.test/', 'ws://a.test/', 'https://10.0.0.1/', 'https://nas.lan/', 'https://localhost/', 'https://relay.test/']) expect(ask(url), url).toBe('DIRECT');
  });
});
