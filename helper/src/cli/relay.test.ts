import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { relayConfigOf, relayConfigPath, readRelayConfig, type RelayConfig } from '../relay/relayConfig.ts';
import { temporaryMachine, type TemporaryMachine } from '../testing/temporaryMachine.ts';
import { TestRelay } from '../testing/testRelay.ts';
import type { Check } from '../../../shared/src/check.ts';
import { checkRelay } from './relay.ts';
import { runCli } from './runCli.ts';

const FINGERPRINT = 'A'.repeat(43);
const OTHER_FINGERPRINT = `-${'b'.repeat(42)}`;

let machine: TemporaryMachine;
let relay: TestRelay | null;
beforeEach(() => {
  [machine, relay] = [temporaryMachine('linux'), null];
});
afterEach(() => relay?.close());

async function run(...args: readonly string[]): Promise<{ status: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const status = await runCli(args, { platform: 'linux', home: machine.home, env: {}, program: machine.source, print: (text) => (out += text), printError: (text) => (err += text) });
  return { status, out, err };
}

/** As though it were added here. */
async function adopt(started: TestRelay, change: Partial<RelayConfig> = {}): Promise<void> {
  await run('relay', 'add', 'a.test:1', FINGERPRINT);
  relay = started;
  writeFileSync(relayConfigPath(machine), JSON.stringify(relayConfigOf({ ...started.config, ...change })));
}

const allowedIn = (text: string): string => /firstscreen-relay allow --directory DIR \S+ ([\w-]{43})/.exec(text)?.[1] ?? '';

describe('relay add', () => {
  it('writes a file that only the user may read, with a new key, and says what the relay has to be told', async () => {
    const { status, out } = await run('relay', 'add', 'relay.example.com:8443', FINGERPRINT);
    expect(status).toBe(0);
    expect(readRelayConfig(machine)).toMatchObject({ host: 'relay.example.com', port: 8443, relayFingerprint: FINGERPRINT });
    expect([statSync(relayConfigPath(machine)).mode & 0o777, statSync(dirname(relayConfigPath(machine))).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(out).toContain(`fingerprint is ${allowedIn(out)}`);
    expect(out).toContain('started anew');
  });

  it('is done once: the same again changes nothing, and another address keeps the key', async () => {
    const first = allowedIn((await run('relay', 'add', 'relay.example.com:8443', FINGERPRINT)).out);
    const before = readFileSync(relayConfigPath(machine), 'utf8');
    expect((await run('relay', 'add', 'relay.example.com:8443', FINGERPRINT)).out).toMatch(/already/);
    expect(readFileSync(relayConfigPath(machine), 'utf8')).toBe(before);
    expect(allowedIn((await run('relay', 'add', '[2001:db8::1]:443', FINGERPRINT)).out)).toBe(first);
    expect(readRelayConfig(machine)?.host).toBe('[2001:db8::1]');
  });

  it('another relay gets another key, also by a fingerprint that begins as an option does', async () => {
    const first = allowedIn((await run('relay', 'add', 'relay.example.com:8443', FINGERPRINT)).out);
    const { status, out } = await run('relay', 'add', 'relay.example.com:8443', OTHER_FINGERPRINT, '--json');
    expect(status).toBe(0);
    expect(readRelayConfig(machine)?.relayFingerprint).toBe(OTHER_FINGERPRINT);
    expect((JSON.parse(out) as { fingerprint: string }).fingerprint).not.toBe(first);
  });

  it('writes a broken file anew', async () => {
    await run('relay', 'add', 'relay.example.com:8443', FINGERPRINT);
    writeFileSync(relayConfigPath(machine), '{');
    expect((await run('relay', 'add', 'relay.example.com:8443', FINGERPRINT)).status).toBe(0);
    expect(readRelayConfig(machine)).not.toBe(null);
  });

  it('--dry-run does nothing', async () => {
    expect((await run('relay', 'add', 'relay.example.com:8443', FINGERPRINT, '--dry-run')).out).toMatch(/write .*relay\.json/);
    expect(readRelayConfig(machine)).toBe(null);
  });
});

describe('relay terminate', () => {
  const list = async (): Promise<string> => (await run('relay', 'terminate', 'list')).out.trim();

  it('names the hosts whose requests the relay makes, and which it does not any more', async () => {
    await run('relay', 'add', 'relay.example.com:8443', FINGERPRINT);
    expect(await list()).toBe('The relay makes no requests by itself.');
    await run('relay', 'terminate', 'add', 'b.test');
    const { out } = await run('relay', 'terminate', 'add', 'a.test');
    expect(out).toMatch(/will see what is asked of a\.test.*started anew/s);
    expect(await list()).toBe('a.test\nb.test');
    expect((await run('relay', 'terminate', 'add', 'a.test')).out).toMatch(/already/);
    await run('relay', 'terminate', 'remove', 'b.test');
    expect(readRelayConfig(machine)?.terminate).toEqual(['a.test']);
    expect(statSync(relayConfigPath(machine)).mode & 0o777).toBe(0o600);
  });

  it('all are all: none of them can be left out', async () => {
    await run('relay', 'add', 'relay.example.com:8443', FINGERPRINT);
    await run('relay', 'terminate', 'add', 'all');
    expect(await list()).toBe('all');
    expect(await run('relay', 'terminate', 'remove', 'a.test')).toMatchObject({ status: 2, err: expect.stringContaining('remove all') as string });
    await run('relay', 'terminate', 'remove', 'all');
    expect(readRelayConfig(machine)?.terminate).toEqual([]);
  });

  it('is kept when the relay has moved, and not for another relay', async () => {
    await run('relay', 'add', 'relay.example.com:8443', FINGERPRINT);
    await run('relay', 'terminate', 'add', 'a.test');
    await run('relay', 'add', 'other.example.com:8443', FINGERPRINT);
    expect(readRelayConfig(machine)?.terminate).toEqual(['a.test']);
    await run('relay', 'add', 'other.example.com:8443', OTHER_FINGERPRINT);
    expect(readRelayConfig(machine)?.terminate).toEqual([]);
  });

  it('needs a relay', async () => expect((await run('relay', 'terminate', 'list')).err).toContain('There is no relay'));
});

describe('relay status', () => {
  const status = async (): Promise<{ status: number; check: Check }> => {
    const { status: code, out } = await run('relay', 'status', '--json');
    const { checks: [check] } = JSON.parse(out) as { checks: [Check] };
    return { status: code, check };
  };

  it('says that there is none', async () => {
    expect(await status()).toMatchObject({ status: 0, check: { verdict: 'pass', detail: expect.stringContaining('none') as string } });
  });

  it('says how soon it answers', async () => {
    await adopt(await TestRelay.start());
    expect(await status()).toMatchObject({ status: 0, check: { verdict: 'pass', detail: expect.stringMatching(/127\.0\.0\.1:\d+ answers in [\d.]+ ms, protocol 1/) as string } });
  });

  it.each<[string, () => Promise<void>, string, RegExp]>([
    ['does not know this helper', async () => adopt(await TestRelay.start({}, FINGERPRINT)), 'E_RELAY_REFUSED', /firstscreen-relay allow --directory DIR \S+ [\w-]{43}$/],
    ['has another key', async () => adopt(await TestRelay.start(), { relayFingerprint: FINGERPRINT }), 'E_RELAY_IDENTITY', /add it again/],
    ['speaks another version', async () => adopt(await TestRelay.start({ hello: { version: 7 } })), 'E_RELAY_VERSION', /one release/],
    ['is not there', async () => {
      await adopt(await TestRelay.start());
      await relay?.kill();
    }, 'E_RELAY_UNAVAILABLE', /firstscreen-relay doctor/],
    ['has a file that others may read', async () => {
      await adopt(await TestRelay.start());
      const { chmodSync } = await import('node:fs');
      chmodSync(relayConfigPath(machine), 0o644);
    }, 'E_RELAY_CONFIG', /relay remove/],
  ])('when the relay %s, says so and what to do', async (_case, make, code, next) => {
    await make();
    expect(await status()).toMatchObject({ status: 1, check: { verdict: 'warn', detail: expect.stringContaining(code) as string, next: expect.stringMatching(next) as string } });
  });
});

it('relay remove takes all of it away, and once', async () => {
  await run('relay', 'add', 'relay.example.com:8443', FINGERPRINT);
  expect((await run('relay', 'remove')).out).toMatch(/^Removed/);
  expect(readRelayConfig(machine)).toBe(null);
  expect((await run('relay', 'remove')).out).toBe('There is no relay.');
});

it('doctor looks at a relay where there is one alone', async () => {
  expect(await checkRelay(machine, 'host')).toEqual([]);
  await adopt(await TestRelay.start());
  expect(await checkRelay(machine, 'host')).toMatchObject([{ verdict: 'pass' }]);
});

it('uninstall takes the relay along', async () => {
  await run('install', '--browser', 'firefox');
  await run('relay', 'add', 'relay.example.com:8443', FINGERPRINT);
  expect((await run('uninstall')).status).toBe(0);
  expect(readRelayConfig(machine)).toBe(null);
});
