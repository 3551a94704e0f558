import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { UNSEEN_DOCUMENT } from '../../../shared/src/memory/neededObject.ts';
import { MemoryStore, memoryPath } from '../memory/memoryStore.ts';
import { temporaryMachine, type TemporaryMachine } from '../testing/temporaryMachine.ts';
import { forget } from './forget.ts';

const STYLE = { url: 'https://static.test/s.css', kind: 'style', bytes: 10, cached: null, isNamed: false, request: { referrer: null, site: null, isCors: false, hasCookies: false } } as const;

describe('forget', () => {
  let machine: TemporaryMachine;
  let path: string;
  beforeEach(() => {
    machine = temporaryMachine('linux');
    path = memoryPath(machine);
    const store = new MemoryStore(path);
    for (const page of ['https://a.test/', 'https://b.test/']) store.visited({ url: page, asked: page, objects: [STYLE], origins: [], document: UNSEEN_DOCUMENT, addresses: [] });
    store.save();
  });
  const known = (): boolean[] => ['https://a.test/', 'https://b.test/'].map((page) => new MemoryStore(path).expected(page).objects.length > 0);

  it.each([
    ['all', { site: null, dryRun: false }, [false, false], 'Forgotten: what was learnt of all pages (pages: 2).'],
    ['one site', { site: 'a.test', dryRun: false }, [false, true], 'Forgotten: what was learnt of a.test (pages: 1).'],
    ['nothing in a dry run', { site: null, dryRun: true }, [true, true], 'Would forget what was learnt of all pages.'],
  ])('%s', (_, options, expected, said) => {
    expect(forget(options, machine)).toContain(said);
    expect(known()).toEqual(expected);
  });

  it('takes along what a helper that died in a write has left', () => {
    copyFileSync(path, `${path}.${2 ** 22 + 1}.tmp`);
    forget({ site: 'a.test', dryRun: false }, machine);
    expect(readdirSync(dirname(path))).toEqual([basename(path)]);
  });

  it('says why when it can not', () => {
    forget({ site: null, dryRun: false }, machine);
    rmSync(path);
    mkdirSync(join(path, 'in the way'), { recursive: true });
    expect(() => forget({ site: null, dryRun: false }, machine)).toThrow(expect.objectContaining({ code: 'E_MEMORY' }) as Error);
  });
});
