import * as v from 'valibot';
import { expect, it, vi } from 'vitest';
import { StoredList } from './storedList.ts';
import { fakeStorage } from './testing.ts';

it('loses no change of two pages at once, each with a list of its own', async () => {
  const stored: Record<string, unknown> = {};
  vi.stubGlobal('chrome', { storage: { local: fakeStorage(stored) } });
  const pages = ['a', 'b'].map(() => new StoredList('kept', v.array(v.string())));
  await Promise.all(pages.map((page, place) => page.change((list) => [...list, String(place)])));
  expect(stored).toEqual({ kept: ['0', '1'] });
});
