import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import type { ImageRank } from '../../../shared/src/page/documentModel.ts';
import { RankClass } from '../../../shared/src/scheduling/rank.ts';
import { ObjectRanks } from '../prediction/objectRanks.ts';
import { SpoolBudget } from '../spool/spoolBudget.ts';
import type { BrowserSide } from './browserSide.ts';
import { exchange } from './exchange.ts';

it('is ranked anew while it waits, also when the browser has asked before its place was known, and no longer when it is over', () => {
  const url = 'https://a.test/card.jpg';
  const ranks = new ObjectRanks();
  const ranked: FetchClass[] = [];
  const spool = { budget: new SpoolBudget({ memory: Infinity, disk: Infinity }), directory: '', maxBytes: { memory: 1, disk: 1 } };
  let close = (): void => undefined;
  const browser: BrowserSide = {
    method: 'GET', fields: ['Host', 'a.test', 'sec-fetch-dest', 'image'], body: null, connection: new EventEmitter(), sink: new PassThrough(), isGone: false, stepAside: null,
    informed: () => undefined, head: () => true, trailers: () => undefined, cutOff: () => undefined, onClose: (closed) => (close = () => closed(true)),
  };
  const fetch = { rank: (fetchClass: FetchClass) => void ranked.push(fetchClass), await: () => undefined, revise: () => false, cancel: () => undefined };
  const image = (rankClass: RankClass): ImageRank => ({ url, rankClass, order: 0, pixels: null });
  exchange(browser, { host: 'a.test', port: 443, origin: 'https://a.test', path: '/card.jpg' }, { fetch: () => fetch, ranks, leave: () => Promise.resolve(false), spool });
  ranks.ranked([image(RankClass.inView)]);
  expect(ranked).toEqual([FetchClass.inView]);
  close();
  ranks.ranked([image(RankClass.offScreen)]);
  expect(ranked).toEqual([FetchClass.inView]);
});
