import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LogEntry } from '../../../shared/src/log.ts';
import type { NetworkStore } from './networkStore.ts';
import { NetworkFollower } from './networkFollower.ts';

let network: string | null;
let isBroken: boolean;
let isBlind: boolean;
let judged: string[];
let changes: number;
let log: LogEntry[];
let follower: NetworkFollower;

/** Home alone was fast. */
const store: Pick<NetworkStore, 'wasFast' | 'judged'> = {
  wasFast: (name) => {
    fail();
    return name === 'home';
  },
  judged: (name, verdict) => {
    fail();
    judged.push(`${name} ${verdict}`);
  },
};

function look(): string | null {
  if (isBlind) throw new Error('no socket');
  return network;
}

function fail(): void {
  if (isBroken) throw Object.assign(new Error('no'), { code: 'EACCES' });
}

beforeEach(() => {
  vi.useFakeTimers();
  [network, isBroken, isBlind, judged, changes, log] = ['home', false, false, [], 0, []];
  follower = new NetworkFollower({ look, store, changed: () => (changes += 1), log: (entry) => log.push(entry) });
});
afterEach(() => {
  follower.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const wait = (): unknown => vi.advanceTimersByTime(2_000);

describe('NetworkFollower', () => {
  it('looks after no network before somebody asks', () => {
    wait();
    follower.judged('fast');
    expect([vi.getTimerCount(), judged]).toEqual([0, []]);
  });

  it('tells once that the machine is in another network, and knows that one when it is asked', () => {
    expect(follower.wasFast()).toBe(true);
    wait();
    expect(changes).toBe(0);
    network = 'cafe';
    wait();
    wait();
    expect(changes).toBe(1);
    expect(follower.wasFast()).toBe(false);
    [network] = ['home'];
    wait();
    expect([changes, follower.wasFast()]).toEqual([2, true]);
  });

  it('learns what pages have shown, of the network that it was asked of alone', () => {
    follower.wasFast();
    follower.judged('fast');
    network = 'cafe';
    follower.judged('slow');
    expect([judged, changes]).toEqual([['home fast'], 1]);
    follower.wasFast();
    follower.judged('slow');
    expect(judged).toEqual(['home fast', 'cafe slow']);
  });

  it('knows and learns nothing of a network that nothing tells from others', () => {
    network = null;
    expect(follower.wasFast()).toBe(false);
    follower.judged('fast');
    expect([judged, log]).toEqual([[], []]);
  });

  it('says and learns nothing while the machine can not be looked at, and asks anew then', () => {
    follower.wasFast();
    isBlind = true;
    wait();
    follower.judged('fast');
    expect([changes, judged, follower.wasFast()]).toEqual([0, [], false]);
    isBlind = false;
    wait();
    expect([changes, follower.wasFast()]).toEqual([1, true]);
  });

  it('goes on as in a network that is not known where the memory can not be used, and says why, not where', () => {
    isBroken = true;
    expect(follower.wasFast()).toBe(false);
    follower.judged('fast');
    expect(log.map(({ level, fields }) => [level, fields])).toEqual([['warn', { reason: 'EACCES' }], ['warn', { reason: 'EACCES' }]]);
    expect(JSON.stringify(log)).not.toContain('home');
  });
});
