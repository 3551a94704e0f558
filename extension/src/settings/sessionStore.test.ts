import { array, number } from 'valibot';
import { expect, it, vi } from 'vitest';
import { loggedCodes } from '../background/log.ts';
import { keepInSession, keptInSession } from './sessionStore.ts';
import { fakeStorage } from './testing.ts';

const inBrowser = (session: object): void => void vi.stubGlobal('chrome', { storage: { session } });

it('what is kept is there until nothing is kept any more, where it fits', async () => {
  inBrowser(fakeStorage());
  await keepInSession('key', [1]);
  expect([await keptInSession('key', array(number())), await keptInSession('key', number())]).toEqual([[1], null]);
  await keepInSession('key', null);
  expect(await keptInSession('key', array(number()))).toBeNull();
});

it('a browser that keeps nothing costs what was to be kept, and a line in the log', async () => {
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const fails = (): Promise<never> => Promise.reject(new Error('the store is full'));
  inBrowser({ get: fails, set: fails, remove: fails });
  await keepInSession('key', [1]);
  await keepInSession('key', null);
  expect(await keptInSession('key', number())).toBeNull();
  expect(loggedCodes()).toMatchObject([{ code: 'E_INTERNAL', count: 3 }]);
});
