import { describe, expect, it } from 'vitest';
import { pacScript } from './pac.ts';

/** Runs the script as a browser would: alone. */
function find(url: string, leftHosts: readonly string[] = []): unknown {
  const { hostname } = new URL(url);
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the script is what is tested
  const run = new Function('url', 'host', `${pacScript({ port: 4711, leftHosts })}; return FindProxyForURL(url, host)`) as (url: string, host: string) => unknown;
  return run(url, hostname);
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

  it('hosts that the helper has left, and they alone', () => {
    const left = ['left.test', '__proto__', 'to"string'];
    expect([find('http://left.test/', left), find('http://LEFT.test./', left), find('http://other.left.test/', left), find('http://to.string/', left)]).toEqual(['DIRECT', 'DIRECT', HELPER, HELPER]);
  });
});
