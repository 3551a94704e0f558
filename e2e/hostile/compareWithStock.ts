import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Beds } from './bed.ts';
import { knownDifference, labelOf, type Seen } from './case.ts';
import { type BrowserName, type Mode, MODES } from './mode.ts';
import { CASES } from './cases/all.ts';
import { keepLast, keepSeen, type Outcomes } from './record.ts';
import type { ModeSeen } from './worker.ts';

/** Only cases whose name matches: for a person at work on one of them. */
const CHOSEN = new RegExp(process.env['HOSTILE_CASES'] ?? '');
/** Each case so often, to find what happens once in a while. */
const TIMES = Number(process.env['HOSTILE_REPEAT'] ?? 1);
/** Of each browser: most of a case is waiting. */
const MODES_AT_ONCE = 2;

/** Tests that a browser shows the same in all modes as without Firstscreen, on beds of its own. */
export function compareWithStock(browser: BrowserName): void {
  const outcomes: Outcomes = {};
  let beds: Beds;
  beforeAll(async () => {
    beds = await Beds.start(MODES_AT_ONCE);
  });
  afterAll(async () => {
    await beds.close();
    if (TIMES === 1) keepLast(browser, outcomes);
  });

  const cases = CASES.filter(({ name, browsers }) => CHOSEN.test(name) && browsers?.includes(browser) !== false);
  const tries = cases.flatMap((each) => Array.from({ length: TIMES }, (_, time) => ({ ...each, label: labelOf(each.name, time + 1) })));
  const runs: Partial<Record<Mode, Promise<ModeSeen>>> = {};
  const seen: Partial<Record<Mode, ModeSeen>> = {};

  describe.each(MODES)('%s', { concurrent: true }, (mode) => {
    beforeAll(async () => {
      const run = (runs[mode] = beds.run({ browser, mode, labels: tries.map(({ label }) => label) }));
      const found = (seen[mode] = await run);
      keepSeen(browser, mode, found.cases);
      // what it is compared with
      if (runs.stock !== undefined) seen.stock = await runs.stock;
    });

    it('leaves no helper when the browser has closed', () => {
      expect(seen[mode]?.left).toBeNull();
    });

    it.each(tries)('$label: $title', (each) => {
      const own = seenOf(mode, each.label);
      outcomes[each.name] = { ...outcomes[each.name], [browser]: { ...outcomes[each.name]?.[browser], [mode]: false } };
      each.expects(own, mode);
      const compared = each.compared ?? ((all: Seen) => all);
      const stock = compared(seenOf('stock', each.name));
      const known = knownDifference(each, browser, mode);
      if (known !== undefined) {
        known.expects(own);
        expect(compared(own), 'a known difference is gone').not.toEqual(stock);
        return;
      }
      expect(compared(own), 'the same as without Firstscreen').toEqual(stock);
      outcomes[each.name] = { ...outcomes[each.name], [browser]: { ...outcomes[each.name]?.[browser], [mode]: true } };
    });
  });

  function seenOf(mode: Mode, label: string): Seen {
    const found = seen[mode]?.cases[label];
    if (found === undefined) throw new Error(`the case did not run in ${mode}`);
    return found;
  }
}
