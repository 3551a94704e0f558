import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { STATUS } from '../messages/testing.ts';
import { statusOf, watchStatus } from './status.ts';

/** In which every port that nobody has taken would have been given up, and one that closed opened again. */
const LONG_MS = 20_000;

/** The page's end of a port, and what the background script does with its own. */
interface TestPort {
  tell: () => void;
  end: () => void;
  isOpen: boolean;
}

let ports: TestPort[];
let answer: (question: object) => Promise<unknown>;
const changed = vi.fn();
beforeEach(() => {
  vi.useFakeTimers();
  ports = [];
  // as Chromium, which drops what it can start no worker for
  answer = () => new Promise(() => undefined);
  vi.stubGlobal('chrome', {
    runtime: {
      sendMessage: (question: object) => answer(question),
      connect: () => {
        const port: TestPort = { tell: () => undefined, end: () => undefined, isOpen: true };
        ports.push(port);
        return {
          onMessage: { addListener: (listener: () => void) => (port.tell = listener) },
          onDisconnect: {
            addListener: (listener: () => void) => {
              port.end = () => {
                port.isOpen = false;
                listener();
              };
            },
          },
          disconnect: () => (port.isOpen = false),
        };
      },
    },
  });
  changed.mockReset();
});
afterEach(() => vi.useRealTimers());

it('where no background script was started for a page, it is not waited for for ever, and asked again', async () => {
  watchStatus(changed);
  const first = statusOf(1);
  await vi.advanceTimersByTimeAsync(LONG_MS);
  expect(await first).toBeNull();
  expect(ports.length).toBeGreaterThan(1);
  expect(ports.filter(({ isOpen }) => isOpen)).toHaveLength(1);
  expect(changed).toHaveBeenCalledTimes(ports.length);
  answer = () => Promise.resolve(STATUS);
  expect(await statusOf(1)).toEqual(STATUS);
});

it('a port that was taken stays, and an answer may take its time', async () => {
  watchStatus(changed);
  ports[0]?.tell();
  const late = Promise.withResolvers<unknown>();
  answer = () => late.promise;
  const asked = statusOf(1);
  await vi.advanceTimersByTimeAsync(LONG_MS);
  late.resolve(STATUS);
  expect(await asked).toEqual(STATUS);
  expect(ports).toHaveLength(1);
});

it('what a background script has not answered that ended is answered by none', async () => {
  watchStatus(changed);
  ports[0]?.tell();
  const asked = statusOf(1);
  ports[0]?.end();
  expect(await asked).toBeNull();
  changed.mockReset();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ports).toHaveLength(2);
  expect(changed).toHaveBeenCalledOnce();
});
