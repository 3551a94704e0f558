import { describe, expect, it } from 'vitest';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { withUrgency } from './urgency.ts';

const { layout, inView, unplaced, offScreen, undisplayed } = FetchClass;

describe('urgency of a request', () => {
  it.each([
    ['in view', inView, 'u=2'],
    ['off screen', offScreen, 'u=5'],
    ['not displayed', undisplayed, 'u=7'],
  ])('%s is by its place', (_, fetchClass, urgency) => {
    expect(withUrgency(['Host', 'a.test', 'Priority', 'u=1, i', 'Accept', '*/*'], { fetchClass })).toEqual(['Host', 'a.test', 'Accept', '*/*', 'priority', urgency]);
  });

  it.each([['a layout file', layout], ['an image of unknown place', unplaced]])('of %s is the browser\'s own, if it has one', (_, fetchClass) => {
    expect(withUrgency(['Priority', 'u=0'], { fetchClass })).toEqual(['Priority', 'u=0']);
  });

  it('of a layout file without one stands before images', () => {
    expect(withUrgency([], { fetchClass: layout })).toEqual(['priority', 'u=1']);
    expect(withUrgency([], { fetchClass: unplaced })).toEqual(['priority', 'u=3, i']);
  });

  it.each([['style', 'u=0'], ['font', 'u=0'], ['script', 'u=1']])('of a layout file for %s without one is as Chromium has it', (destination, urgency) => {
    expect(withUrgency(['Sec-Fetch-Dest', destination], { fetchClass: layout })).toEqual(['Sec-Fetch-Dest', destination, 'priority', urgency]);
  });
});
