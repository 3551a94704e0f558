import { beforeEach, expect, it, vi } from 'vitest';
import { PROFILE } from '../../../shared/src/memory/cachedUntil.ts';

let stored: Record<string, unknown>;
let isBroken: boolean;
beforeEach(() => {
  [stored, isBroken] = [{}, false];
  vi.resetModules();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const local = {
    get: () => (isBroken ? Promise.reject(new Error('corrupted')) : Promise.resolve({ ...stored })),
    set: (values: object) => Promise.resolve(void Object.assign(stored, values)),
  };
  vi.stubGlobal('chrome', { storage: { local } });
});

/** As a background script that has just begun. */
async function begun(): Promise<string> {
  vi.resetModules();
  const { profileName } = await import('./profileName.ts');
  const [name, again] = await Promise.all([profileName(), profileName()]);
  expect(again).toBe(name);
  expect(name).toMatch(PROFILE);
  return name;
}

it('is made once for a profile', async () => {
  const name = await begun();
  expect(await begun()).toBe(name);
  stored = {};
  expect(await begun()).not.toBe(name);
});

it.each([['what is no name', () => (stored = { profile: 'a b' })], ['a store that is broken', () => (isBroken = true)]])('with %s it is a new one', async (_, spoil) => {
  const name = await begun();
  spoil();
  expect(await begun()).not.toBe(name);
});
