import { expect, it, vi } from 'vitest';
import { firstLayout } from './layoutWatcher.ts';

class FakeDocument {
  readonly visibilityState = 'visible';
  readyState = 'loading';
  content: object | null = null;
  querySelector = (): object | null => this.content;
}

/** A page that makes a frame whenever it is told to. */
function pageWithFrames(): { document: FakeDocument; makeFrame: () => Promise<boolean>; layout: { isKnown: boolean } } {
  const document = new FakeDocument();
  const asked: (() => void)[] = [];
  vi.stubGlobal('HTMLDocument', FakeDocument);
  vi.stubGlobal('document', document);
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => asked.push(callback));
  const layout = { isKnown: false };
  void firstLayout().then(() => (layout.isKnown = true));
  /** @returns whether another one was asked for */
  const makeFrame = async (): Promise<boolean> => {
    asked.shift()?.();
    await Promise.resolve();
    return asked.length > 0;
  };
  return { document, makeFrame, layout };
}

it('is there at the first frame with content', async () => {
  const { document, makeFrame, layout } = pageWithFrames();
  expect([await makeFrame(), layout.isKnown]).toEqual([true, false]);
  document.content = {};
  expect([await makeFrame(), layout.isKnown]).toEqual([false, true]);
});

it('has no frames made for ever of a frame set, of text alone, or of a frame that stays empty', async () => {
  const { document, makeFrame, layout } = pageWithFrames();
  expect([await makeFrame(), layout.isKnown]).toEqual([true, false]);
  document.readyState = 'complete';
  expect([await makeFrame(), layout.isKnown]).toEqual([false, true]);
});
