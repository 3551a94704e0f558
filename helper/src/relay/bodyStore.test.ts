import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { hashOf } from '../../../shared/src/node/relay/keptBodies.ts';
import { MemoryStore } from '../memory/memoryStore.ts';
import { BodyStore, bodiesPath, type BodyPlace } from './bodyStore.ts';

const MODE = 0o777;
const MAX_BYTES = 1_000;
const place = (url: string, partition = 'https://a.test'): BodyPlace => ({ url: `https://a.test${url}`, partition });

let state: string;
let directory: string;
let store: BodyStore;
beforeEach(() => {
  state = temporaryDirectory();
  directory = bodiesPath(join(state, 'memory.json'));
  store = new BodyStore(directory, MAX_BYTES);
});

async function visited(page: BodyPlace, body: string): Promise<void> {
  store.received(page, Buffer.from(body));
  await store.keep([page]);
}

const found = (where: BodyPlace, isDocument = false): string[] => store.find(where, isDocument).map(({ body }) => body.toString());

describe('BodyStore', () => {
  it('keeps what is of a visit that is remembered, for this user alone, and tells nobody what it is', async () => {
    store.received(place('/secret'), Buffer.from('private window'));
    await visited(place('/a'), 'body');
    expect([found(place('/a')), found(place('/secret'))]).toEqual([['body'], []]);
    expect(statSync(directory).mode & MODE).toBe(0o700);
    const names = readdirSync(directory);
    expect(names.map((name) => [name, statSync(join(directory, name)).mode & MODE])).toEqual(names.map((name) => [name, 0o600]));
    expect(names.filter((name) => !/^[\w-]{43}$/.test(name))).toEqual([]);
    expect(new Set(names.map((name) => readFileSync(join(directory, name), 'utf8')))).toEqual(new Set(['body', '']));
  });

  it('has one name for all helpers until it is erased, by whomever', async () => {
    const name = store.name();
    await visited(place('/a'), 'x'.repeat(MAX_BYTES));
    expect([name, new BodyStore(directory).name()]).toEqual([expect.stringMatching(/^[\w-]{43}$/), name]);
    new MemoryStore(join(state, 'memory.json')).forget(null);
    expect(store.name()).not.toBe(name);
  });

  it('gives it to no other partition or URL', async () => {
    await visited(place('/a'), 'body');
    expect([found(place('/a', 'https://b.test')), found(place('/a?b'))]).toEqual([[], []]);
  });

  it('gives the last page of the same template, behind the page itself', async () => {
    await visited(place('/2024/one'), '1');
    await visited(place('/2025/two'), '2');
    expect([found(place('/2024/one'), true), found(place('/2026/three?a'), true), found(place('/2024/one')), found(place('/other/one'), true)]).toEqual([['1', '2'], ['2'], ['1'], []]);
  });

  it('knows what a page has had from its own server', async () => {
    const page = place('/');
    const css = place('/a.css');
    const script = { ...css, url: 'https://cdn.test/b.js' };
    for (const each of [page, css, script]) store.received(each, Buffer.from(each.url));
    await store.keep([page, css, script, place('/cached.css')]);
    expect([store.objects(page), store.objects(css)]).toEqual([[hashOf(Buffer.from(css.url)).slice(0, 8)], []]);
  });

  it('stays within its bounds, the oldest go', async () => {
    for (let i = 0; i < 10; i += 1) {
      await visited(place(`/p${i}/x`), String(i).repeat(150));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const bytes = readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
    expect([bytes <= MAX_BYTES, found(place('/p9/x')).length, found(place('/p0/x')).length]).toEqual([true, 1, 0]);
  });

  it('costs nothing where it can not write', async () => {
    writeFileSync(directory, 'in the way');
    await visited(place('/a'), 'body');
    expect(found(place('/a'))).toEqual([]);
  });

  it('is erased with the memory of pages', async () => {
    await visited(place('/a'), 'body');
    new MemoryStore(join(state, 'memory.json')).forget('elsewhere.test');
    expect(found(place('/a'))).toEqual([]);
  });
});
