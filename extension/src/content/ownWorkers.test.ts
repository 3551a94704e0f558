import { expect, it, vi } from 'vitest';
import { ownWorkers } from './ownWorkers.ts';

it('has none in a sandbox, where Chromium throws at whoever looks, and none in clear', () => {
  vi.stubGlobal('navigator', {
    get serviceWorker() {
      throw new DOMException('Service worker is disabled because the context is sandboxed', 'SecurityError');
    },
  });
  expect(ownWorkers()).toBeUndefined();
  vi.stubGlobal('navigator', {});
  expect(ownWorkers()).toBeUndefined();
});
