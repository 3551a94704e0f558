import * as v from 'valibot';
import { expect, it, vi } from 'vitest';
import { StoredList } from './storedList.ts';

it('loses no change of two pages at once, each with a list of its own', async () => {
  const stored: Record<string, unknown> = {};
  // as slow as a browser's, so that changes that do not wait for each other are lost
  const local = {
    get: async (key: string) => {
      await Promise.resolve();
      return key in stored ? { [key]: stored[key] } : {};
    },
    set: async (items: object) => {
      await Promise.resolve();
      Object.assign(stored, items);
    },
  };
  vi.stubGlobal('chrome', { storage: { local } });
  const pages = ['a', 'b'].map(() => new StoredList('kept', v.array(v.string())));
  await Promise.all(pages.map((page, place) => page.change((list) => [...list, String(place)])));
  expect(stored).toEqual({ kept: ['0', '1'] });
});
