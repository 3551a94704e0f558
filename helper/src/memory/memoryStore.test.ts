import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UNSEEN_DOCUMENT, type SeenObject, type Expected } from '../../../shared/src/memory/neededObject.ts';
import { MemoryStore, memoryPath } from './memoryStore.ts';

const STYLE: SeenObject = { url: 'https://static.test/s.css', kind: 'style', bytes: 10, cached: null, isNamed: false, request: { referrer: null, site: null, isCors: false, hasCookies: false } };
let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'firstscreen-memory-'));
  path = join(directory, 'state/memory.json');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(directory, { recursive: true });
});

/** Without how sure it is. */
const plain = (expected?: Expected): SeenObject[] => (expected?.objects ?? []).map(({ isCertain: _, ...object }) => object);

describe('MemoryStore', () => {
  it('what one helper has learnt the next one knows; the file is private', () => {
    const store = new MemoryStore(path);
    store.visited({ url: 'https://a.test/', asked: 'https://a.test/', objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT });
    expect(plain(store.expected('https://a.test/'))).toEqual([STYLE]);
    store.save();
    expect(plain(new MemoryStore(path).expected('https://a.test/'))).toEqual([STYLE]);
    expect(new MemoryStore(path).known('https://a.test/').objects).toContainEqual(STYLE);
    expect([statSync(path).mode & 0o777, statSync(join(directory, 'state')).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('two helpers at a time lose nothing of each other', () => {
    const [one, other] = [new MemoryStore(path), new MemoryStore(path)];
    one.visited({ url: 'https://a.test/', asked: 'https://a.test/', objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT });
    other.visited({ url: 'https://b.test/', asked: 'https://b.test/', objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT });
    one.save();
    other.save();
    for (const store of [one, other, new MemoryStore(path)]) expect([plain(store.expected('https://a.test/')), plain(store.expected('https://b.test/'))]).toEqual([[STYLE], [STYLE]]);
  });

  it('erased under a running helper, it stays erased', () => {
    const store = new MemoryStore(path);
    store.visited({ url: 'https://a.test/', asked: 'https://a.test/', objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT });
    store.save();
    new MemoryStore(path).forget(null);
    expect(plain(store.expected('https://a.test/'))).toEqual([]);
    store.visited({ url: 'https://b.test/', asked: 'https://b.test/', objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT });
    store.save();
    expect(readFileSync(path, 'utf8')).not.toContain('a.test');
  });

  it.each([
    ['all', null],
    ['a site', 'a.test'],
  ])('%s erased under a running helper, what that has not written yet is erased too', (_, host) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const store = new MemoryStore(path);
    store.visited({ url: 'https://a.test/', asked: 'https://a.test/', objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT });
    vi.advanceTimersByTime(1);
    new MemoryStore(path).forget(host);
    store.save();
    expect(readFileSync(path, 'utf8')).not.toContain('a.test');
    vi.advanceTimersByTime(1);
    store.visited({ url: 'https://b.test/', asked: 'https://b.test/', objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT });
    store.save();
    expect([plain(store.expected('https://a.test/')), plain(new MemoryStore(path).expected('https://b.test/'))]).toEqual([[], [STYLE]]);
  });

  it('forgets one site', () => {
    const store = new MemoryStore(path);
    for (const page of ['https://www.a.test/', 'https://b.test/']) store.visited({ url: page, asked: page, objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT });
    store.save();
    new MemoryStore(path).forget('a.test');
    expect([plain(store.expected('https://www.a.test/')), plain(store.expected('https://b.test/'))]).toEqual([[], [STYLE]]);
  });

  it.each(['', 'no JSON', '{"version":1}', '[]'])('a file with "%s" is as none, and is written anew', (text) => {
    const store = new MemoryStore(path);
    store.visited({ url: 'https://a.test/', asked: 'https://a.test/', objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT });
    store.save();
    writeFileSync(path, text);
    const next = new MemoryStore(path);
    expect(plain(next.expected('https://a.test/'))).toEqual([]);
    next.visited({ url: 'https://b.test/', asked: 'https://b.test/', objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT });
    next.save();
    expect(plain(new MemoryStore(path).expected('https://b.test/'))).toEqual([STYLE]);
  });

  it('nothing learnt, nothing written', () => {
    new MemoryStore(path).save();
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
  });

  it.each<[NodeJS.Platform, NodeJS.ProcessEnv, string]>([
    ['linux', {}, '/home/u/.local/state/firstscreen/memory.json'],
    ['linux', { XDG_STATE_HOME: '/state' }, '/state/firstscreen/memory.json'],
    ['darwin', {}, '/home/u/Library/Application Support/Firstscreen/memory.json'],
  ])('%s %o', (platform, env, expected) => expect(memoryPath({ platform, home: '/home/u', env })).toBe(expected));
});
