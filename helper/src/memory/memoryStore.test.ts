import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { DAY_MS, dayOf } from '../../../shared/src/memory/cachedUntil.ts';
import { NOTHING_EXPECTED, UNSEEN_DOCUMENT, type SeenDocument, type SeenObject, type Expected, type Visit } from '../../../shared/src/memory/neededObject.ts';
import { MemoryStore, memoryPath } from './memoryStore.ts';

const STYLE: SeenObject = { url: 'https://static.test/s.css', kind: 'style', bytes: 10, cached: null, isNamed: false, request: { referrer: null, site: null, isCors: false, hasCookies: false } };
let directory: string;
let path: string;
beforeEach(() => {
  directory = temporaryDirectory();
  path = join(directory, 'state/memory.json');
});
afterEach(() => vi.useRealTimers());

const visitTo = (url: string, document = UNSEEN_DOCUMENT): Visit => ({ url, asked: url, objects: [STYLE], origins: [], document, addresses: [] });

/** A document whose store acts once when it makes the text of its file: it has read that before, and not written it. */
function whenWritten(act: () => void): SeenDocument {
  let hasActed = false;
  const toJSON = (): SeenDocument => {
    if (!hasActed) {
      hasActed = true;
      act();
    }
    return UNSEEN_DOCUMENT;
  };
  return Object.defineProperty({ ...UNSEEN_DOCUMENT }, 'toJSON', { value: toJSON });
}

/** Without how sure it is. */
const plain = (expected?: Expected): SeenObject[] => (expected?.objects ?? []).map(({ isCertain: _, ...object }) => object);

let store: MemoryStore;
beforeEach(() => void (store = new MemoryStore(path)));

describe('MemoryStore', () => {
  it('what one helper has learnt the next one knows; the file is private', () => {
    store.visited({ url: 'https://a.test/', asked: 'https://a.test/', objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT, addresses: [] });
    expect(plain(store.expected('https://a.test/'))).toEqual([STYLE]);
    store.save();
    expect(plain(new MemoryStore(path).expected('https://a.test/'))).toEqual([STYLE]);
    expect(new MemoryStore(path).known('https://a.test/').objects).toContainEqual(STYLE);
    expect([statSync(path).mode & 0o777, statSync(join(directory, 'state')).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('two helpers at a time lose nothing of each other', () => {
    const [one, other] = [new MemoryStore(path), new MemoryStore(path)];
    one.visited({ url: 'https://a.test/', asked: 'https://a.test/', objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT, addresses: [] });
    other.visited({ url: 'https://b.test/', asked: 'https://b.test/', objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT, addresses: [] });
    one.save();
    other.save();
    for (const store of [one, other, new MemoryStore(path)]) expect([plain(store.expected('https://a.test/')), plain(store.expected('https://b.test/'))]).toEqual([[STYLE], [STYLE]]);
  });

  it('no page hears of a file that can not even be looked at, and what is learnt is known meanwhile', () => {
    mkdirSync(join(directory, 'state'));
    symlinkSync('memory.json', path);
    const store = new MemoryStore(path);
    expect(store.expected('https://a.test/')).toEqual(NOTHING_EXPECTED);
    store.visited(visitTo('https://a.test/'));
    expect(() => store.save()).toThrow('ELOOP');
    rmSync(path);
    store.save();
    expect(plain(new MemoryStore(path).expected('https://a.test/'))).toEqual([STYLE]);
  });

  it.each([
    ['an address', 'https://static.test/s.css', 'https://static.test:99999/s.css'],
    ['the address of a style sheet', '"referrer":null', '"referrer":"x"'],
  ])('nothing is expected of what somebody has written in the place of %s', (_, whole, broken) => {
    store.visited(visitTo('https://a.test/'));
    store.save();
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll(whole, broken));
    expect(plain(store.expected('https://a.test/'))).toEqual([]);
    writeFileSync(path, text);
    expect(plain(store.expected('https://a.test/'))).toEqual([STYLE]);
  });

  it('erased under a running helper, it stays erased', () => {
    store.visited({ url: 'https://a.test/', asked: 'https://a.test/', objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT, addresses: [] });
    store.save();
    new MemoryStore(path).forget(null);
    expect(plain(store.expected('https://a.test/'))).toEqual([]);
    store.visited({ url: 'https://b.test/', asked: 'https://b.test/', objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT, addresses: [] });
    store.save();
    expect(readFileSync(path, 'utf8')).not.toContain('a.test');
  });

  it.each([
    ['all', null],
    ['a site', 'a.test'],
  ])('%s erased under a running helper, what that has not written yet is erased too', (_, host) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const store = new MemoryStore(path);
    store.visited({ url: 'https://a.test/', asked: 'https://a.test/', objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT, addresses: [] });
    vi.advanceTimersByTime(1);
    new MemoryStore(path).forget(host);
    store.save();
    expect(readFileSync(path, 'utf8')).not.toContain('a.test');
    vi.advanceTimersByTime(1);
    store.visited({ url: 'https://b.test/', asked: 'https://b.test/', objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT, addresses: [] });
    store.save();
    expect([plain(store.expected('https://a.test/')), plain(new MemoryStore(path).expected('https://b.test/'))]).toEqual([[], [STYLE]]);
  });

  it('forgets one site', () => {
    for (const page of ['https://www.a.test/', 'https://b.test/']) store.visited({ url: page, asked: page, objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT, addresses: [] });
    store.save();
    new MemoryStore(path).forget('a.test');
    expect([plain(store.expected('https://www.a.test/')), plain(store.expected('https://b.test/'))]).toEqual([[], [STYLE]]);
  });

  it('forgets pages that the browser has erased from its history, and says how many it knew', () => {
    for (const page of ['https://a.test/x', 'https://b.test/']) store.visited(visitTo(page));
    store.save();
    expect(new MemoryStore(path).forgetPages(['https://a.test/x?q=1', 'https://c.test/'])).toBe(1);
    expect([plain(store.expected('https://a.test/x')), plain(store.expected('https://b.test/'))]).toEqual([[], [STYLE]]);
    expect([store.forget('b.test'), store.forget(null)]).toEqual([1, 0]);
  });

  it.each<[string, (store: MemoryStore) => unknown]>([
    ['all', (store) => store.forget(null)],
    ['a site', (store) => store.forget('a.test')],
    ['a page', (store) => store.forgetPages(['https://a.test/'])],
  ])('%s erased while another helper writes is not written back by it', (_, erase) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const store = new MemoryStore(path);
    store.visited(visitTo('https://a.test/'));
    store.save();
    let isErased = false;
    const document = whenWritten(() => {
      isErased = true;
      vi.advanceTimersByTime(1);
      erase(new MemoryStore(path));
    });
    store.visited(visitTo('https://b.test/', document));
    store.save();
    expect(isErased).toBe(true);
    expect(readFileSync(path, 'utf8')).not.toContain('a.test');
    expect(plain(store.expected('https://a.test/'))).toEqual([]);
  });

  it('what another helper learns while something is erased stays', () => {
    const [store, other] = [new MemoryStore(path), new MemoryStore(path)];
    const document = whenWritten(() => {
      other.visited(visitTo('https://c.test/'));
      other.save();
    });
    store.visited(visitTo('https://b.test/', document));
    store.forget('a.test');
    expect([plain(store.expected('https://b.test/')), plain(new MemoryStore(path).expected('https://c.test/'))]).toEqual([[STYLE], [STYLE]]);
  });

  it('says of which sites it knows something, and of no more than a message takes', () => {
    expect(store.sites()).toEqual({ sites: [], more: 0 });
    for (const page of ['https://www.a.test/', 'https://a.test/x', 'http://user.github.io/', 'http://[2001:db8::1]:8080/']) store.visited(visitTo(page));
    const lastDay = dayOf(Date.now());
    expect(store.sites()).toEqual({ sites: [['[2001:db8::1]', 1], ['a.test', 2], ['user.github.io', 1]].map(([site, pages]) => ({ site, pages, lastDay })), more: 0 });
    for (const { site } of store.sites().sites) store.forget(site);
    expect(store.sites().sites).toEqual([]);
    // of the last 250 the addresses that led to them are pages, too; of all the kinds of pages are known
    for (let i = 0; i < 500; i += 1) store.visited({ ...visitTo(`https://${i}.test/`), asked: `https://from-${i}.test/` });
    const { sites, more } = store.sites();
    expect([sites.length, more]).toEqual([500, 250]);
  });

  it('tells of no site that a message could not name, whoever has written the file', () => {
    store.visited(visitTo('https://a.test/'));
    store.save();
    const { pages: [[, record] = ['', null]], ...stored } = JSON.parse(readFileSync(path, 'utf8')) as { pages: [string, object][] };
    writeFileSync(path, JSON.stringify({ ...stored, pages: ['https://a.test/', 'no address', 'about:blank', `https://${'a'.repeat(300)}.test/`].map((key) => [key, record]) }));
    expect(new MemoryStore(path).sites().sites.map(({ site }) => site)).toEqual(['a.test']);
  });

  describe('what is two months old', () => {
    const written = (): string => readFileSync(path, 'utf8');

    it('goes from the file, and the file is not written for anything else', () => {
      vi.useFakeTimers({ toFake: ['Date'] });
      const store = new MemoryStore(path);
      store.visited(visitTo('https://old.test/'));
      store.save();
      vi.advanceTimersByTime(40 * DAY_MS);
      store.visited(visitTo('https://new.test/'));
      store.save();
      const { ino } = statSync(path);
      new MemoryStore(path).expire();
      expect([statSync(path).ino, written().includes('old.test')]).toEqual([ino, true]);
      vi.advanceTimersByTime(21 * DAY_MS);
      // as the clock of the test is ahead of the file's
      utimesSync(path, Date.now() / 1000, Date.now() / 1000);
      new MemoryStore(path).expire();
      expect([written().includes('old.test'), written().includes('new.test')]).toEqual([false, true]);
    });

    it('goes from the file of a helper that has it in memory, too', () => {
      vi.useFakeTimers({ toFake: ['Date'] });
      const store = new MemoryStore(path);
      store.visited(visitTo('https://old.test/'));
      store.save();
      vi.advanceTimersByTime(40 * DAY_MS);
      store.visited(visitTo('https://new.test/'));
      store.save();
      utimesSync(path, Date.now() / 1000, Date.now() / 1000);
      store.expire();
      expect(written()).toContain('old.test');
      vi.advanceTimersByTime(21 * DAY_MS);
      store.expire();
      expect([written().includes('old.test'), written().includes('new.test')]).toEqual([false, true]);
    });

    it.each(['{"version":1}', 'no JSON'])('goes with a file that nobody can read any more: %s', (text) => {
      mkdirSync(join(directory, 'state'));
      writeFileSync(path, text);
      new MemoryStore(path).expire();
      expect(existsSync(path)).toBe(true);
      const writtenS = Date.now() / 1000 - 61 * (DAY_MS / 1000);
      utimesSync(path, writtenS, writtenS);
      new MemoryStore(path).expire();
      expect(existsSync(path)).toBe(false);
    });

    it('is looked for without a file', () => {
      new MemoryStore(path).expire();
      expect(existsSync(path)).toBe(false);
    });
  });

  it('says so when the file can not be changed or read, in words without a page, and has erased it for itself', () => {
    store.visited(visitTo('https://a.test/'));
    mkdirSync(join(path, 'in the way'), { recursive: true });
    const failure = { code: 'E_MEMORY', message: expect.not.stringContaining('a.test') as string };
    expect(() => store.forget('a.test')).toThrow(expect.objectContaining(failure) as Error);
    expect(plain(store.expected('https://a.test/'))).toEqual([]);
    expect(() => store.forgetPages(['https://a.test/'])).toThrow(expect.objectContaining(failure) as Error);
    expect(() => store.sites()).toThrow(expect.objectContaining(failure) as Error);
    rmSync(path, { recursive: true });
    store.save();
    expect(store.sites().sites).toEqual([]);
  });

  it('a file that can not be read for want of descriptors is not written over', async () => {
    store.visited(visitTo('https://a.test/'));
    store.save();
    const program = `
      import { closeSync, openSync } from 'node:fs';
      import { MemoryStore } from '${import.meta.dirname}/memoryStore.ts';
      const store = new MemoryStore(${JSON.stringify(path)});
      const files = [];
      try {
        for (;;) files.push(openSync('/dev/null'));
      } catch {}
      store.visited(${JSON.stringify(visitTo('https://b.test/'))});
      files.forEach((file) => closeSync(file));
      store.save();`;
    await promisify(execFile)('sh', ['-c', 'ulimit -n 100 && exec "$0" "$@"', process.execPath, '--input-type=module', '--eval', program]);
    expect(['a', 'b'].map((name) => plain(new MemoryStore(path).expected(`https://${name}.test/`)))).toEqual([[STYLE], [STYLE]]);
  });

  it.each(['', 'no JSON', '{"version":1}', '[]'])('a file with "%s" is as none, and is written anew', (text) => {
    store.visited({ url: 'https://a.test/', asked: 'https://a.test/', objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT, addresses: [] });
    store.save();
    writeFileSync(path, text);
    const next = new MemoryStore(path);
    expect(plain(next.expected('https://a.test/'))).toEqual([]);
    next.visited({ url: 'https://b.test/', asked: 'https://b.test/', objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT, addresses: [] });
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
