import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../../shared/src/names/addressPolicy.ts';
import { mayGain, placeOf, tellsOfLink, type RelayPlace } from './relayPlace.ts';

function shown(address: string, bits: number, mac = '52:54:00:00:00:01', internal = false): NetworkInterfaceInfo {
  const of = { address, mac, internal, cidr: `${address}/${bits}`, netmask: '' };
  return address.includes(':') ? { ...of, family: 'IPv6', scopeid: 0 } : { ...of, family: 'IPv4' };
}

const NO_MAC = '00:00:00:00:00:00';
const INTERFACES = {
  lo: [shown('127.0.0.1', 8, NO_MAC, true), shown('::1', 128, NO_MAC, true)],
  wlan0: [shown('192.168.1.20', 24), shown('2a02:8100:1:2::20', 64), shown('fe80::20', 64)],
  wg0: [shown('10.8.0.2', 24, NO_MAC), shown('2a01:4f8:1:1::2', 64, NO_MAC)],
};

it.each<[string, string, string, RelayPlace]>([
  ['a rented machine', '203.0.112.7', '192.168.1.20', 'beyond'],
  ['the same by IPv6', '2a01:4f8:9::7', '2a02:8100:1:2::20', 'beyond'],
  ['a machine of the house', '192.168.1.5', '192.168.1.20', 'network'],
  ['one behind another router of it', '10.0.5.5', '192.168.1.20', 'network'],
  ['one by its public address', '2a02:8100:1:2::5', '2a02:8100:1:2::20', 'network'],
  ['one by its own address of the link', 'fe80::5', 'fe80::20', 'network'],
  ['a machine at home, from elsewhere by a tunnel', '10.8.0.1', '10.8.0.2', 'beyond'],
  ['the same by IPv6 of the tunnel', '2a01:4f8:1:1::1', '2a01:4f8:1:1::2', 'beyond'],
  ['a port of this machine that leads on', '127.0.0.1', '127.0.0.1', 'machine'],
  ['one of IPv6', '::1', '::1', 'machine'],
])('%s, %s from %s, is at "%s"', (_, remoteAddress, localAddress, place) => {
  expect(placeOf({ remoteAddress, localAddress }, isPublicAddress, INTERFACES)).toBe(place);
});

describe.each<[RelayPlace, number, boolean, boolean]>([
  ['beyond', 1, true, true],
  ['beyond', 150, true, true],
  ['network', 1, false, false],
  // a tunnel that looks like a cable, or an office with a line of its own to its relay
  ['network', 150, true, true],
  ['machine', 1, false, true],
  ['machine', 150, true, true],
])('at "%s" with a round trip of %d ms', (place, rttMs, tells, gains) => {
  it(`it tells of the link: ${tells}`, () => expect(tellsOfLink(place, rttMs)).toBe(tells));
  it(`it may gain: ${gains}`, () => expect(mayGain(place, rttMs)).toBe(gains));
});
