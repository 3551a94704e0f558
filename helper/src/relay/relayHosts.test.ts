import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isPublicAddress } from '../../../shared/src/names/addressPolicy.ts';
import { RelayHosts } from './relayHosts.ts';

let hosts: RelayHosts;

beforeEach(() => {
  vi.useFakeTimers();
  // a time of 0 is none to lru-cache
  vi.advanceTimersByTime(1);
  hosts = new RelayHosts({ isPublic: isPublicAddress, named: () => new Map([['ads.example.com', []]]), searched: () => ['corp.example.org.', 'lan', 'com'] });
});
afterEach(() => vi.useRealTimers());

describe('hosts that the relay may carry', () => {
  it.each(['www.example.com', 'example.org', 'WWW.Example.Com.', '93.184.215.14', '[2606:2800:21f:cb07:6820:80da:af6b:8b2c]', 'local.example.com', 'xn--bcher-kva.example'])('%s', (host) => expect(hosts.mayCarry(host)).toBe(true));
});

describe('hosts that are this machine\'s, or its network\'s', () => {
  it.each([
    'localhost', 'app.localhost', 'printer', 'nas.local', 'NAS.LOCAL.', 'db.internal', 'router.home.arpa', 'fritz.lan', 'x.onion', '127.0.0.1', '10.1.2.3', '192.168.1.1', '169.254.169.254', '100.64.0.1', '[::1]', '[fd00::1]',
    '[::ffff:10.0.0.1]', '0.0.0.0', 'ads.example.com', 'Ads.Example.Com.', 'wiki.corp.example.org', 'corp.example.org',
  ])('%s', (host) => expect(hosts.mayCarry(host)).toBe(false));
});

describe('a host that the relay has refused', () => {
  it('goes directly for ten minutes', () => {
    hosts.refused('Blocked.example.com', 'E_CONNECT');
    expect(hosts.mayCarry('blocked.example.com')).toBe(false);
    expect(hosts.mayCarry('www.blocked.example.com')).toBe(true);
    vi.advanceTimersByTime(600_001);
    expect(hosts.mayCarry('blocked.example.com')).toBe(true);
  });

  it('is not one that came when the relay had too much to do', () => {
    hosts.refused('www.example.com', 'E_RELAY_LIMIT');
    expect(hosts.mayCarry('www.example.com')).toBe(true);
  });
});
