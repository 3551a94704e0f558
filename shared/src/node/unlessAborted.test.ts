import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { unlessAborted } from './unlessAborted.ts';

const REASON = new Error('nobody wants it');

let controller: AbortController;
beforeEach(() => {
  controller = new AbortController();
});
// a signal may live for months
afterEach(() => expect(getEventListeners(controller.signal, 'abort')).toEqual([]));

it('gives what the promise gives, and throws what it throws', async () => {
  expect(await unlessAborted(Promise.resolve('it'), controller.signal)).toBe('it');
  await expect(unlessAborted(Promise.reject(new Error('its own')), controller.signal)).rejects.toThrow('its own');
});

it('waits no longer than the signal lets it, and hears nothing of what comes then', async () => {
  const { promise, reject } = Promise.withResolvers();
  const waiting = unlessAborted(promise, controller.signal);
  controller.abort(REASON);
  await expect(waiting).rejects.toBe(REASON);
  // an unhandled rejection would fail the run
  reject(new Error('late'));
});

it('waits for nothing where the signal has come before', async () => {
  controller.abort(REASON);
  await expect(unlessAborted(new Promise(() => undefined), controller.signal)).rejects.toBe(REASON);
});
