import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { STATUS_PORT } from '../messages/status.ts';
import { Popups } from './popups.ts';

const ID = 'fepfabdflbifdndnhdbidecgakckoigg';
const PAGES = `chrome-extension://${ID}/`;

let connect: (port: object) => void;
let popups: Popups;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('chrome', { runtime: { id: ID, getURL: () => PAGES, onConnect: { addListener: (listener: typeof connect) => (connect = listener) } } });
  popups = new Popups();
  popups.accept();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function open({ name = STATUS_PORT, id = ID, url = `${PAGES}popup.html` } = {}): { told: number; close: () => void } {
  const popup = { told: 0, close: () => undefined };
  connect({ name, sender: { id, url }, onDisconnect: { addListener: (listener: () => undefined) => (popup.close = listener) }, postMessage: () => (popup.told += 1) });
  return popup;
}

it('a popup is told once of a burst of changes, and again of the next', () => {
  const popup = open();
  for (let i = 0; i < 9; i += 1) popups.changed();
  expect(popup.told).toBe(0);
  vi.runAllTimers();
  expect(popup.told).toBe(1);
  popups.changed();
  vi.runAllTimers();
  expect(popup.told).toBe(2);
});

it('a closed popup is told nothing, and nothing waits for one', () => {
  const popup = open();
  popups.changed();
  popup.close();
  vi.runAllTimers();
  popups.changed();
  expect(vi.getTimerCount()).toBe(0);
  expect(popup.told).toBe(0);
});

it.each([
  ['a content script', { url: 'https://a.test/' }],
  ['another extension', { id: 'other' }],
  ['a document', { name: 'document' }],
])('%s is told nothing', (_, sender) => {
  const other = open(sender);
  popups.changed();
  vi.runAllTimers();
  expect(other.told).toBe(0);
});
