import { describe, expect, it } from 'vitest';
import { architectureOf, elfArchitecture, isOlderRelease, methodFor, parseFacts, printable, type FarFacts } from './farMachine.ts';

const DEBIAN = ['kernel=Linux', 'machine=x86_64', 'uid=1000', 'systemd=yes', 'gzip=yes', 'tar=yes', 'perl=yes', 'podman=no', 'docker=no', 'sudo=yes', 'freeSudo=no', 'bbr=yes'];
const facts = (...more: string[]): FarFacts => parseFacts([...DEBIAN, ...more].join('\n'));
const code = (expected: string) => expect.objectContaining({ code: expected }) as Error;

describe('what is found on the far machine', () => {
  it('is read, whatever else a login prints', () => {
    expect(facts('Welcome to relay!', '=x', 'unknown=1', 'relay=user', 'port=4433\r')).toMatchObject({ uid: 1000, systemd: true, freeSudo: false, relay: 'user', port: 4433 });
    expect(facts('relay=system', 'port=').port).toBeNull();
  });

  it.each(['', 'This account is currently not available.', DEBIAN.slice(1).join('\n'), [...DEBIAN, 'uid=me'].join('\n'), [...DEBIAN, 'relay=elsewhere'].join('\n'), [...DEBIAN, 'systemd=perhaps'].join('\n')])('is an error where it is not as it should be: %j', (output) => {
    expect(() => parseFacts(output)).toThrow(code('E_RELAY_SETUP'));
  });

  it.each([['x86_64', 'x64'], ['amd64', 'x64'], ['aarch64', 'arm64'], ['arm64', 'arm64']])('%s takes the executable for %s', (machine, wanted) => {
    expect(architectureOf(facts(`machine=${machine}`))).toBe(wanted);
  });

  it.each([['machine=armv7l', 'armv7l'], ['machine=riscv64', 'riscv64'], ['kernel=FreeBSD', 'FreeBSD']])('%s has no relay', (line, named) => {
    expect(() => architectureOf(facts(line))).toThrow(expect.objectContaining({ code: 'E_RELAY_MACHINE', message: expect.stringContaining(named) as string }) as Error);
  });

  it.each([['0.1.0', '0.1.0', false], ['0.0.9', '0.1.0', true], ['0.1.0', '0.0.9', false], ['0.9.0', '0.10.0', true], ['1.0.0', '0.9.9', false], ['', '0.1.0', true], ['sh: not found', '0.1.0', true]])('release %s is older than %s: %s', (release, than, isOlder) => {
    expect(isOlderRelease(release, than)).toBe(isOlder);
  });

  it('moves nobody\'s cursor', () => {
    expect(printable('a\u001b[2Jb\r\nc\u0085')).toBe('a?[2Jb?\nc?');
  });
});

describe('an executable', () => {
  const head = (machine: number, ...change: readonly (readonly [number, number])[]): Uint8Array => {
    const bytes = Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, machine & 255, machine >> 8]);
    for (const [at, value] of change) bytes[at] = value;
    return bytes;
  };

  it.each([['x64', head(62)], ['arm64', head(183)], [null, head(40)], [null, head(62, [4, 1])], [null, head(62, [1, 0])], [null, head(62).subarray(0, 19)], [null, new Uint8Array(0)]])('is for %s', (wanted, bytes) => {
    expect(elfArchitecture(bytes)).toBe(wanted);
  });
});

describe('how it is done there', () => {
  const asks = { wantsSystem: false, hasTerminal: true };
  const allows = { wantsSystem: true, hasTerminal: true };
  const silent = { wantsSystem: true, hasTerminal: false };

  it.each([
    ['a user', facts(), asks, { joins: null, scope: 'user', rights: 'none' }],
    ['root', facts('uid=0'), asks, { joins: null, scope: 'system', rights: 'root' }],
    ['a user who allows it', facts(), allows, { joins: null, scope: 'system', rights: 'asking sudo' }],
    ['a user whose sudo does not ask', facts('freeSudo=yes'), silent, { joins: null, scope: 'system', rights: 'sudo' }],
    ['a user with a relay', facts('relay=user', 'port=4433'), asks, { joins: 'user', scope: 'user', rights: 'none' }],
    ['a user with a relay, who allows more', facts('relay=user', 'port=4433'), allows, { joins: 'user', scope: 'user', rights: 'none' }],
    ['a relay for all', facts('relay=system', 'port=4433'), allows, { joins: 'system', scope: 'system', rights: 'asking sudo' }],
    ['a package, as root', facts('relay=package', 'port=4433', 'uid=0'), asks, { joins: 'package', scope: 'package', rights: 'root' }],
  ] as const)('for %s', (_case, found, wish, method) => {
    expect(methodFor(found, wish)).toEqual(method);
  });

  it.each([
    ['a relay for all, without a word', facts('relay=system', 'port=4433'), asks, 'E_NOT_ROOT', '--system'],
    ['a sudo that asks nobody', facts(), silent, 'E_NOT_ROOT', 'terminal'],
    ['no sudo', facts('sudo=no'), allows, 'E_NOT_ROOT', 'root of that machine'],
    ['no systemd, with podman', facts('systemd=no', 'podman=yes'), allows, 'E_RELAY_MACHINE', 'podman'],
    ['no systemd, with docker', facts('systemd=no', 'docker=yes'), allows, 'E_RELAY_MACHINE', 'docker'],
    ['nothing', facts('systemd=no'), allows, 'E_RELAY_MACHINE', 'Install podman or docker'],
  ] as const)('not with %s, and says what to do', (_case, found, wish, wanted, next) => {
    expect(() => methodFor(found, wish)).toThrow(expect.objectContaining({ code: wanted, next: expect.stringContaining(next) as string }) as Error);
  });
});
