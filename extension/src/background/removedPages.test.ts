import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_FRAME_BYTES, MAX_REMOVED_URLS, parseExtensionMessage } from '../../../shared/src/protocol/native.ts';
import { RemovedPages } from './removedPages.ts';

function allOf(removed: RemovedPages): (readonly string[] | null)[] {
  const messages: (readonly string[] | null)[] = [];
  for (let told = removed.take(); told !== null; told = removed.take()) {
    parseExtensionMessage({ v: 1, id: 1, type: 'historyRemoved', payload: told });
    expect(JSON.stringify(told).length).toBeLessThan(MAX_FRAME_BYTES - 1000);
    messages.push(told.urls);
  }
  return messages;
}

it('has of each address what the memory would keep, once', () => {
  const removed = new RemovedPages();
  removed.add(['https://a.test/x?q=secret', 'https://A.test/x#top', 'https://user:word@a.test/x', 'https://a.test/reset/3f2a9c81d0b34e5f', 'chrome://settings/', 'file:///home/u', `https://a.test/${'x'.repeat(8_200)}`]);
  expect(allOf(removed)).toEqual([['https://a.test/x', 'https://a.test/reset/*']]);
  expect([removed.isEmpty, removed.take()]).toEqual([true, null]);
});

it('all is all, whatever else there is', () => {
  const removed = new RemovedPages();
  removed.add(['https://a.test/']);
  removed.addAll();
  removed.add(['https://b.test/']);
  expect(allOf(removed)).toEqual([null]);
});

it('goes in messages that a frame takes', () => {
  const removed = new RemovedPages();
  removed.add(Array.from({ length: MAX_REMOVED_URLS + 1 }, (_, i) => `https://${i}.test/`));
  expect(allOf(removed).map((urls) => urls?.length)).toEqual([MAX_REMOVED_URLS, 1]);
  removed.add(Array.from({ length: 200 }, (_, i) => `https://${i}.test/${'words-'.repeat(1_300)}`));
  expect(allOf(removed).length).toBeGreaterThan(2);
});

it('more than five thousand are all', () => {
  const removed = new RemovedPages();
  removed.add(Array.from({ length: 5_001 }, (_, i) => `https://${i}.test/`));
  expect(allOf(removed)).toEqual([null]);
});

it('loses nothing that is put back, in whatever order', () => {
  const step = fc.oneof(fc.array(fc.nat(30), { maxLength: 5 }), fc.constantFrom('all', 'told', 'not told'));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const removed = new RemovedPages();
      const owed = new Set<string>();
      let isAllOwed = false;
      for (const each of steps) {
        if (Array.isArray(each)) {
          const urls = each.map((n) => `https://${n}.test/`);
          removed.add(urls);
          for (const url of urls) owed.add(url);
        } else if (each === 'all') {
          removed.addAll();
          isAllOwed = true;
        } else {
          const told = removed.take();
          if (told === null) continue;
          if (each === 'not told') removed.putBack(told);
          else {
            if (told.urls === null) isAllOwed = false;
            for (const url of told.urls ?? [...owed]) owed.delete(url);
          }
        }
      }
      const rest = allOf(removed);
      expect(rest.includes(null)).toBe(isAllOwed);
      if (!isAllOwed) expect(new Set(rest.flat())).toEqual(owed);
    }),
  );
});
