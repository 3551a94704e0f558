import { beforeEach, describe, expect, it } from 'vitest';
import type { Placement } from '../../../shared/src/page/objects.ts';
import { PlacementLedger } from './placementLedger.ts';

const VIEW = { x: 0, y: 1_000, width: 800, height: 600 };
const UNDISPLAYED: Placement = { state: 'undisplayed', near: null };
const at = (y: number): Placement => ({ state: 'placed', rect: { x: 0, y, width: 100, height: 100 } });

describe('PlacementLedger', () => {
  let ledger: PlacementLedger<string>;
  beforeEach(() => {
    ledger = new PlacementLedger();
  });
  const changed = (): Record<string, Placement> => Object.fromEntries(ledger.takeChanged(VIEW));

  it('tells what was placed, once, and again when it has moved', () => {
    expect(ledger.place('e1', 'a', at(0))).toBe(true);
    expect(ledger.place('e2', 'b', UNDISPLAYED)).toBe(true);
    expect(changed()).toEqual({ a: at(0), b: UNDISPLAYED });
    expect(ledger.place('e1', 'a', at(0))).toBe(false);
    expect(ledger.place('e2', 'b', UNDISPLAYED)).toBe(false);
    expect(changed()).toEqual({});
    expect(ledger.place('e1', 'a', at(1))).toBe(true);
    expect(ledger.place('e2', 'b', at(2))).toBe(true);
    expect(changed()).toEqual({ a: at(1), b: at(2) });
  });

  it.each<[string, Placement[], Placement]>([
    ['in view', [at(900), at(1_100), at(1_601)], at(1_100)],
    ['the nearest', [at(5_000), at(2_000), at(9_000)], at(2_000)],
    ['displayed', [UNDISPLAYED, at(9_000)], at(9_000)],
    ['the first of equals', [at(1_100), at(1_200)], at(1_100)],
  ])('of several elements tells the one that is needed soonest: %s', (_, placements, expected) => {
    placements.forEach((placement, index) => ledger.place(`e${index}`, 'a', placement));
    expect(changed()).toEqual({ a: expected });
  });

  it('tells the place that is left when the element that was needed soonest shows something else', () => {
    ledger.place('e1', 'a', at(1_000));
    ledger.place('e2', 'a', at(3_000));
    ledger.place('e1', 'b', at(1_000));
    expect(changed()).toEqual({ a: at(3_000), b: at(1_000) });
    expect(ledger.urlOf('e1')).toBe('b');
  });

  it('forgets elements, and a URL with its last one', () => {
    ledger.place('e1', 'a', at(0));
    ledger.place('e2', 'a', at(0));
    ledger.remove('e1');
    ledger.remove('unknown');
    expect(ledger.has('a')).toBe(true);
    expect(ledger.elements()).toEqual(['e2']);
    ledger.remove('e2');
    expect(ledger.has('a')).toBe(false);
    expect(changed()).toEqual({});
  });

  it('tells again what it is asked to, as far as it knows it', () => {
    ledger.place('e1', 'a', at(0));
    changed();
    ledger.markChanged('a');
    ledger.markChanged('unknown');
    expect(changed()).toEqual({ a: at(0) });
  });
});
