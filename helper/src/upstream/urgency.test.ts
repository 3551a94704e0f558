import { describe, expect, it } from 'vitest';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { priorityOf, withPriority } from './urgency.ts';

const { layout, inView, unplaced, offScreen, undisplayed } = FetchClass;
const IMAGE = ['Host', 'a.test', 'Sec-Fetch-Dest', 'image'];
const ASKED = { isAwaited: true, bytes: 5_000 };
const SCRIPT = ['Host', 'a.test', 'Sec-Fetch-Dest', 'script'];

describe('urgency of a request', () => {
  it.each([
    ['in view', inView, 'u=2'],
    ['off screen', offScreen, 'u=5'],
    ['not displayed', undisplayed, 'u=7'],
  ])('of an image %s is by its place', (_, fetchClass, urgency) => {
    expect(priorityOf(IMAGE, { ...ASKED, fetchClass }, 'u=1, i')).toBe(urgency);
    expect(priorityOf(IMAGE, { ...ASKED, fetchClass }, null)).toBe(urgency);
  });

  it('of what is large and in view is behind what is small and in view, and before what may be', () => {
    expect(priorityOf(IMAGE, { ...ASKED, fetchClass: inView, bytes: 200_000 }, null)).toBe('u=3');
  });

  it('of an image off screen that is only foreseen is behind those that the browser waits for', () => {
    expect(priorityOf(IMAGE, { ...ASKED, fetchClass: offScreen, isAwaited: false }, null)).toBe('u=6');
  });

  it('of an image of unknown place is the browser\'s own, if it has one', () => {
    expect(priorityOf(IMAGE, { ...ASKED, fetchClass: unplaced }, 'u=2, i')).toBe('u=2, i');
    expect(priorityOf(IMAGE, { ...ASKED, fetchClass: unplaced }, null)).toBe('u=3, i');
  });

  it('of a layout file is the browser\'s own, if it has one', () => {
    expect(priorityOf(SCRIPT, { ...ASKED, fetchClass: layout }, 'u=4, i')).toBe('u=4, i');
  });

  it('of a script that runs later is the browser\'s own until the browser waits for it', () => {
    expect(priorityOf(SCRIPT, { ...ASKED, fetchClass: unplaced }, 'u=4, i')).toBe('u=4, i');
    expect(priorityOf(SCRIPT, { ...ASKED, fetchClass: inView }, 'u=4, i')).toBe('u=2');
  });

  it.each([['u=0', 'u=0'], ['u=4', 'u=1'], ['i', 'u=1']])('of a style sheet that the browser asks for with %s is %s', (own, told) => {
    expect(priorityOf(['Sec-Fetch-Dest', 'style'], { ...ASKED, fetchClass: layout }, own)).toBe(told);
  });

  it('of a layout file without one stands before images', () => {
    expect(priorityOf(SCRIPT, { ...ASKED, fetchClass: layout }, null)).toBe('u=1');
  });

  it('takes the place of the browser\'s field', () => {
    expect(withPriority(['Host', 'a.test', 'Priority', 'u=1, i', 'Accept', '*/*'], 'u=2')).toEqual(['Host', 'a.test', 'Accept', '*/*', 'priority', 'u=2']);
  });
});
