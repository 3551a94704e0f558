import { beforeEach, expect, it } from 'vitest';
import type { UpstreamConnection } from '../upstream/connection.ts';
import { SideConnections } from './sideConnections.ts';

interface TestConnection {
  readonly origin: string;
  readonly isBusy: boolean;
  isOpen: boolean;
}

let opened: TestConnection[];
let sides: SideConnections;
beforeEach(() => {
  opened = [];
  sides = new SideConnections((origin) => {
    const connection = { origin, isBusy: false, isOpen: true, destroy: () => void (connection.isOpen = false) };
    opened.push(connection);
    // of a connection no more is asked than that
    return Promise.resolve(connection as unknown as UpstreamConnection);
  });
});

/** Work that lasts until it is told to end. */
function work(origin: string): { readonly end: () => void; readonly done: Promise<UpstreamConnection> } {
  const ending: PromiseWithResolvers<void> = Promise.withResolvers();
  const done = sides.use(origin, async (connection) => {
    await ending.promise;
    return connection;
  });
  return { end: () => ending.resolve(), done };
}

it('are lent to one at a time, are used again, and are four to an origin at most', async () => {
  const works = Array.from({ length: 6 }, () => work('http://a.test'));
  const other = work('http://b.test');
  await new Promise(setImmediate);
  expect(opened.map(({ origin }) => origin)).toEqual([...Array.from({ length: 4 }, () => 'http://a.test'), 'http://b.test']);
  for (const { end } of [...works, other]) end();
  const used = await Promise.all(works.map(({ done }) => done));
  await other.done;
  expect(new Set(used).size).toBe(4);
  expect(opened).toHaveLength(5);
});

it('are not used again when they have ended, or the machine is in another network', async () => {
  await sides.use('http://a.test', () => Promise.resolve((opened[0] as TestConnection).isOpen = false));
  await sides.use('http://a.test', () => Promise.resolve());
  expect(opened).toHaveLength(2);
  const under = work('http://a.test');
  await new Promise(setImmediate);
  sides.retire();
  under.end();
  await under.done;
  expect(opened.map(({ isOpen }) => isOpen)).toEqual([false, false]);
  await sides.use('http://a.test', () => Promise.resolve());
  expect(opened).toHaveLength(3);
  sides.retire();
  expect(opened[2]?.isOpen).toBe(false);
});

it('that fail leave room for the next', async () => {
  for (let i = 0; i < 6; i += 1) await expect(sides.use('http://a.test', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await sides.use('http://a.test', () => Promise.resolve());
});
