import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ObjectSizes } from '../../../shared/src/estimation/objectSizes.ts';
import { DocumentModel, type ImageRank } from '../../../shared/src/page/documentModel.ts';
import { MAX_FRAME_BYTES, MAX_RANKS, parseExtensionMessage } from '../../../shared/src/protocol/native.ts';
import { RankTeller } from './rankTeller.ts';

let messages: ImageRank[][];
let teller: RankTeller;
beforeEach(() => {
  vi.useFakeTimers();
  messages = [];
  teller = new RankTeller((images) => messages.push(images));
});
afterEach(() => vi.useRealTimers());

const rank = (n: number, change: Partial<ImageRank> = {}): ImageRank => ({ url: `https://a.test/${n}.png`, rankClass: 2, order: n, pixels: null, ...change });
const told = async (...ranks: readonly ImageRank[]): Promise<ImageRank[]> => {
  messages = [];
  teller.ranked(ranks);
  await vi.runAllTimersAsync();
  return messages.flat();
};

it('tells a burst in one message, what is needed soonest first, and what has changed only', async () => {
  expect(await told(rank(2), rank(1), rank(3, { rankClass: 0 }))).toEqual([rank(3, { rankClass: 0 }), rank(1), rank(2)]);
  expect(messages).toHaveLength(1);
  expect(await told(rank(1), rank(2, { rankClass: 0 }))).toEqual([rank(2, { rankClass: 0 })]);
  expect(await told(rank(1))).toEqual([]);
});

it('tells nothing twice of a page that has gone on and on', async () => {
  const model = new DocumentModel(new ObjectSizes());
  const images = Array.from({ length: 6_000 }, (_, n) => ({ url: `https://a.test/${n}.png`, placement: { state: 'placed', rect: { x: 0, y: 100 * n, width: 90, height: 90 } } as const }));
  model.layout({ view: { x: 0, y: 0, width: 800, height: 600 }, isVisible: true, isParsed: true, look: 0, isWhole: true, images });
  await told(...model.ranks());
  expect(await told(...model.ranks())).toEqual([]);
});

it('tells another helper everything', async () => {
  await told(rank(1));
  teller.forget();
  expect(await told(rank(1))).toEqual([rank(1)]);
});

it.each([
  ['3,000 images with URLs of 8 kB', 3_000, 8_192],
  ['more images than a message holds', 2 * MAX_RANKS + 1, 30],
])('loses none of %s, and passes no limit', async (_, count, chars) => {
  const ranks = Array.from({ length: count }, (__, n) => rank(n, { url: `https://a.test/${n}.png?`.padEnd(chars, 'x') }));
  expect(await told(...ranks)).toEqual(ranks);
  for (const images of messages) {
    const message = { v: 1, id: 0, type: 'ranks', payload: { images } };
    expect(JSON.stringify(message).length).toBeLessThan(MAX_FRAME_BYTES);
    expect(parseExtensionMessage(message)).toEqual(message);
  }
});
