import { expect, it } from 'vitest';
import { FetchClass } from '../../shared/src/fetching/fetchObject.ts';
import type { RequestEvent } from '../../shared/src/requests/requestEvent.ts';
import { loadTrace } from './loadTrace.ts';

const { layout, inView, unplaced, offScreen } = FetchClass;
const [PAGE, PICTURE, SCRIPT] = ['https://a.test/', 'https://b.test/1.jpg', 'https://a.test/1.js'];

it('tells when each object became known as what, since the first connection', () => {
  const record: RequestEvent[] = [
    { type: 'connecting', atMs: 10, connection: 0, origin: 'https://a.test' },
    { type: 'asked', atMs: 110, request: 0, url: PAGE, fetchClass: layout },
    { type: 'end', atMs: 200, request: 0, ending: 'whole', fetchClass: layout, bytes: 900 },
    { type: 'foreseen', atMs: 210, request: 1, url: PICTURE, fetchClass: unplaced },
    { type: 'foreseen', atMs: 210, request: 2, url: `${PICTURE}?2`, fetchClass: unplaced },
    { type: 'asked', atMs: 260, request: 1, url: PICTURE, fetchClass: unplaced },
    { type: 'asked', atMs: 270, request: 3, url: SCRIPT, fetchClass: layout },
    { type: 'ranked', atMs: 310, request: 1, fetchClass: inView },
    { type: 'ranked', atMs: 310, request: 2, fetchClass: offScreen },
    { type: 'ranked', atMs: 350, request: 2, fetchClass: offScreen },
    { type: 'end', atMs: 400, request: 1, ending: 'whole', fetchClass: inView, bytes: 5_000 },
    { type: 'end', atMs: 410, request: 3, ending: 'cancelled', fetchClass: layout, bytes: 10 },
    { type: 'end', atMs: 900, request: 2, ending: 'whole', fetchClass: offScreen, bytes: 7_000 },
  ];
  const { prepared, objects } = loadTrace('page', record, [{ url: PICTURE, kind: 'image' }]);
  expect(prepared).toEqual([{ origin: 'https://a.test', atMs: 0 }]);
  expect(objects.map(({ origin, bytes, isNeeded }) => [origin, bytes, isNeeded])).toEqual([['https://a.test', 900, false], ['https://b.test', 5_000, true], ['https://b.test', 7_000, false]]);
  expect(objects.map(({ steps }) => steps.map((step) => [step.atMs, step.fetchClass, step.isAwaited]))).toEqual([
    [[100, layout, true]],
    [[200, unplaced, false], [250, unplaced, true], [300, inView, true]],
    [[200, unplaced, false], [300, offScreen, false]],
  ]);
});
