import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { DAY_MS } from '../../../shared/src/memory/cachedUntil.ts';
import { NetworkStore, forgetNetworks } from './networkStore.ts';

const HOME = '["wlan0","192.168.1.1","94:a6:7e:01:02:03"]';
const OTHER = '["wlan0","192.168.1.1","94:a6:7e:0a:0b:0c"]';

let directory: string;
let store: NetworkStore;
beforeEach(() => {
  directory = join(temporaryDirectory(), 'firstscreen');
  store = new NetworkStore(directory);
});
afterEach(() => {
  vi.useRealTimers();
});

const [NETWORKS, SECRET] = ['networks.json', 'networks.secret'];
const read = (file: string): string => readFileSync(join(directory, file), 'utf8');
const files = (): string[] => readdirSync(directory);

function isFast(pages = 10): void {
  for (let page = 0; page < pages; page += 1) store.judged(HOME, 'fast');
}

describe('NetworkStore', () => {
  it('keeps what it learns for other helpers of the user, and nobody else', () => {
    isFast();
    expect(new NetworkStore(directory).wasFast(HOME)).toBe(true);
    expect(new NetworkStore(directory).wasFast(OTHER)).toBe(false);
    expect([directory, ...files().map((file) => join(directory, file))].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600, 0o600]);
  });

  it('names no network, and none alike in another directory', () => {
    isFast();
    expect(read(NETWORKS)).not.toMatch(/wlan|192\.168|94:a6/);
    const elsewhere = new NetworkStore(join(directory, 'elsewhere'));
    for (let page = 0; page < 10; page += 1) elsewhere.judged(HOME, 'fast');
    const keyIn = (text: string): unknown => /"key":"([\da-f]{32})"/.exec(text)?.[1];
    expect(keyIn(read(NETWORKS))).toMatch(/./);
    expect(keyIn(read(join('elsewhere', NETWORKS)))).not.toBe(keyIn(read(NETWORKS)));
  });

  it('makes no file for what it would not keep, and writes none that would be the same', () => {
    expect(store.wasFast(HOME)).toBe(false);
    store.judged(HOME, 'slow');
    store.expire();
    expect(() => files()).toThrow(expect.objectContaining({ code: 'ENOENT' }) as Error);
    isFast();
    const { ino } = statSync(join(directory, NETWORKS));
    isFast();
    expect(statSync(join(directory, NETWORKS)).ino).toBe(ino);
  });

  it('knows a network no more that was slow once', () => {
    isFast();
    store.judged(HOME, 'slow');
    expect([store.wasFast(HOME), read(NETWORKS)]).toEqual([false, '{"version":1,"networks":[]}']);
  });

  it.each<[string, string, string]>([
    ['cut off', NETWORKS, '{"version":1,"netw'],
    ['empty', NETWORKS, ''],
    ['another version', NETWORKS, '{"version":2,"networks":[]}'],
    ['more than was written', NETWORKS, '{"version":1,"networks":[{"key":"x","pages":1e9,"days":-1,"lastDay":0.5}]}'],
    ['a secret that is cut off', SECRET, 'abc'],
    ['an empty secret', SECRET, ''],
  ])('takes a broken file for none: %s', (_, file, content) => {
    isFast();
    writeFileSync(join(directory, file), content);
    expect(store.wasFast(HOME)).toBe(false);
    store.expire();
    isFast();
    expect(store.wasFast(HOME)).toBe(true);
  });

  it('forgets everything, under a helper that runs and with what a crash has left', () => {
    isFast();
    writeFileSync(join(directory, `${NETWORKS}.${2 ** 22 + 1}.tmp`), read(NETWORKS));
    writeFileSync(join(directory, 'memory.json'), '');
    forgetNetworks(directory);
    expect([files(), store.wasFast(HOME)]).toEqual([['memory.json'], false]);
    isFast(9);
    expect(store.wasFast(HOME)).toBe(false);
    forgetNetworks(join(directory, 'not there'));
  });

  it('erases what is too old from the file', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    isFast();
    vi.advanceTimersByTime(14 * DAY_MS);
    store.expire();
    expect(store.wasFast(HOME)).toBe(true);
    vi.advanceTimersByTime(DAY_MS);
    expect(store.wasFast(HOME)).toBe(false);
    store.expire();
    expect(read(NETWORKS)).toBe('{"version":1,"networks":[]}');
  });

  it('says so where a file can not be written or read', () => {
    isFast(1);
    rmSync(join(directory, NETWORKS));
    mkdirSync(join(directory, NETWORKS));
    for (const use of [() => store.judged(HOME, 'fast'), () => store.wasFast(HOME), () => store.expire()]) expect(use).toThrow(expect.objectContaining({ code: 'EISDIR' }) as Error);
  });
});
