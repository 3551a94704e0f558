import { describe, expect, it } from 'vitest';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { withUrgency } from './urgency.ts';

const { layout, inView, unplaced, offScreen, undisplayed } = FetchClass;

describe('urgency of a request', () => {
  it.each([
    ['in view', inView, true, 'u=2'],
    ['of unknown place, that the browser waits for', unplaced, true, 'u=2'],
    ['foreseen in view', inView, false, 'u=3'],
    ['foreseen, of unknown place', unplaced, false, 'u=4'],
    ['off screen', offScreen, true, 'u=5'],
    ['not displayed and only foreseen', undisplayed, false, 'u=7'],
  ])('%s', (_, fetchClass, isAwaited, urgency) => {
    expect(withUrgency(['Host', 'a.test', 'Priority', 'u=1, i', 'Accept', '*/*'], { fetchClass, isAwaited })).toEqual(['Host', 'a.test', 'Accept', '*/*', 'priority', urgency]);
  });

  it('of a layout file is the browser\'s own, if it has one', () => {
    for (const headers of [['Priority', 'u=0'], []]) expect(withUrgency(headers, { fetchClass: layout, isAwaited: true })).toEqual(headers);
  });

  it('of a layout file that is only foreseen stands behind those that are asked for', () => {
    expect(withUrgency([], { fetchClass: layout, isAwaited: false })).toEqual(['priority', 'u=1']);
    expect(withUrgency(['Priority', 'u=2'], { fetchClass: layout, isAwaited: false })).toEqual(['Priority', 'u=2']);
  });
});
