import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { createIdentity, type Identity } from '../../../shared/src/relay/identity.ts';
import { temporaryMachine, type TemporaryMachine } from '../testing/temporaryMachine.ts';
import { readRelayConfig, relayConfigOf, relayConfigPath, type RelayConfig } from './relayConfig.ts';

let machine: TemporaryMachine;
let own: Identity;
let another: Identity;

beforeAll(async () => {
  [own, another] = await Promise.all([createIdentity('a', new Date()), createIdentity('b', new Date())]);
});
beforeEach(() => {
  machine = temporaryMachine('linux');
  mkdirSync(dirname(relayConfigPath(machine)), { recursive: true });
});

const config = (): RelayConfig => relayConfigOf({ host: 'relay.example.com', port: 8443, relayFingerprint: another.fingerprint, certificatePem: own.certificatePem, keyPem: own.keyPem });

function put(value: unknown, mode = 0o600): void {
  writeFileSync(relayConfigPath(machine), typeof value === 'string' ? value : JSON.stringify(value));
  chmodSync(relayConfigPath(machine), mode);
}

it('without a file there is no relay', () => {
  expect(readRelayConfig(machine)).toBe(null);
});

it('reads what was written', () => {
  put(config());
  expect(readRelayConfig(machine)).toEqual(config());
});

it.each<[string, () => void, string]>([
  ['that others may read', () => put(config(), 0o640), 'others'],
  ['that others may write', () => put(config(), 0o622), 'others'],
  ['that is a link', () => symlinkSync('/dev/null', relayConfigPath(machine)), 'plain file'],
  ['that is a directory', () => mkdirSync(relayConfigPath(machine)), 'plain file'],
  ['that is empty', () => put(''), 'relay add'],
  ['that is no JSON', () => put('{'), 'relay add'],
  ['of another version', () => put({ ...config(), version: 2 }), 'relay add'],
  ['with a port that is none', () => put({ ...config(), port: 0 }), 'relay add'],
  ['with a path for a host', () => put({ ...config(), host: 'a.test/x' }), 'relay add'],
  ['with a fingerprint that is none', () => put({ ...config(), relayFingerprint: 'ab:cd' }), 'relay add'],
  ['with more in it', () => put({ ...config(), more: 1 }), 'relay add'],
  ['with the key of another', () => put({ ...config(), keyPem: another.keyPem }), 'key does not fit'],
  ['with a key that is none', () => put({ ...config(), keyPem: 'x' }), 'key does not fit'],
])('refuses a file %s, and says what to do', (_case, make, why) => {
  make();
  expect(() => readRelayConfig(machine)).toThrow(expect.objectContaining({ code: 'E_RELAY_CONFIG', message: expect.stringContaining(why) as string, next: expect.stringContaining('relay add') as string }));
});

it('tells nothing of what is in a broken file', () => {
  put('{ "keyPem": "SECRET" ');
  try {
    readRelayConfig(machine);
    expect.unreachable();
  } catch (error) {
    expect(JSON.stringify([error, (error as Error).message, String((error as Error).cause)])).not.toContain('SECRET');
  }
});

it('an IPv6 address stands in brackets', () => {
  put({ ...config(), host: '[2001:db8::1]' });
  expect(readRelayConfig(machine)?.host).toBe('[2001:db8::1]');
  rmSync(relayConfigPath(machine));
});
