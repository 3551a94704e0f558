import { expect, it } from 'vitest';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { DocumentOrder } from './documentOrder.ts';

it('style sheets and the scripts before the first image come first, then later scripts and the first five images', () => {
  const order = new DocumentOrder();
  const { layout, inView, unplaced } = FetchClass;
  expect((['script', 'image', 'script', 'style', 'font', 'module', 'image', 'image', 'image', 'image', 'image'] as const).map((kind) => order.classOf(kind))).toEqual([
    layout, inView, inView, layout, layout, inView, inView, inView, inView, inView, unplaced,
  ]);
});
