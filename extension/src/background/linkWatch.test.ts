import { beforeEach, expect, it } from 'vitest';
import type { BackgroundMessage, PointedLink } from '../../../shared/src/protocol/content.ts';
import { LinkWatch, type Metering } from './linkWatch.ts';

const LINK: PointedLink = { page: 'https://a.test/', url: 'https://a.test/next', isLikely: true, referrerPolicy: null };
const ON: BackgroundMessage = { type: 'links', isWatched: true };
const OFF: BackgroundMessage = { type: 'links', isWatched: false };

let metering: Metering | undefined;
let told: PointedLink[];
let watch: LinkWatch;
beforeEach(() => {
  [metering, told] = [undefined, []];
  watch = new LinkWatch({ metering: () => metering, pointed: (link) => told.push(link) });
});

it('documents watch their links while that is wanted, whenever they come, and are told nothing otherwise', () => {
  const [early, late]: [BackgroundMessage[], BackgroundMessage[]] = [[], []];
  const leave = watch.connected((message) => early.push(message));
  watch.want(false);
  expect(early).toEqual([]);
  watch.want(true);
  watch.connected((message) => late.push(message));
  expect([early, late]).toEqual([[ON], [ON]]);
  leave();
  watch.want(false);
  expect([early, late]).toEqual([[ON], [ON, OFF]]);
});

it.each<[string, boolean, Metering | undefined, number]>([
  ['while it is wanted', true, undefined, 1],
  ['over a connection that does not say what data cost', true, { saveData: false }, 1],
  ['not when it is not wanted any more', false, undefined, 0],
  ['not while its user saves data', true, { saveData: true }, 0],
  ['not over a mobile network', true, { type: 'cellular' }, 0],
])('a link is passed on %s', (_, isWanted, now, count) => {
  metering = now;
  watch.want(isWanted);
  watch.pointed(LINK);
  expect(told).toHaveLength(count);
});
