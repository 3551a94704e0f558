import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Bed } from './bed.ts';
import type { HostileCase, Seen } from './case.ts';
import { type BrowserName, type Mode, MODES } from './mode.ts';
import { CASES } from './cases/all.ts';
import { keepLast, keepSeen, type Outcomes } from './record.ts';
import type { ModeSeen } from './worker.ts';

/** Only cases whose name matches: for a person at work on one of them. */
const CHOSEN = new RegExp(process.env['HOSTILE_CASES'] ?? '');
const BROWSERS: readonly BrowserName[] = ['chromium', 'firefox'];
const RUN_LIMIT_MS = 400_000;

const outcomes: Outcomes = {};
let bed: Bed;
beforeAll(async () => {
  bed = await Bed.start();
});
afterAll(async () => {
  await bed.close();
  keepLast(outcomes);
});

describe.each(BROWSERS)('the hostile bed: %s', (browser) => {
  const cases = CASES.filter(({ name, browsers }) => CHOSEN.test(name) && browsers?.includes(browser) !== false);
  const seen: Partial<Record<Mode, ModeSeen>> = {};

  describe.each(MODES)('%s', (mode) => {
    beforeAll(async () => {
      const found = await bed.run({ browser, mode, names: cases.map(({ name }) => name) });
      seen[mode] = found;
      keepSeen(browser, mode, found.cases);
    }, RUN_LIMIT_MS);

    it('leaves no helper when the browser has closed', () => {
      expect(seen[mode]?.left).toBeNull();
    });

    it.each(cases)('$name: $title', (each) => {
      const own = seenOf(mode, each);
      outcomes[each.name] = { ...outcomes[each.name], [browser]: { ...outcomes[each.name]?.[browser], [mode]: false } };
      each.expects(own, mode);
      const compared = each.compared ?? ((all: Seen) => all);
      expect(compared(own), 'the same as without Firstscreen').toEqual(compared(seenOf('stock', each)));
      outcomes[each.name] = { ...outcomes[each.name], [browser]: { ...outcomes[each.name]?.[browser], [mode]: true } };
    });
  });

  function seenOf(mode: Mode, { name }: HostileCase): Seen {
    const found = seen[mode]?.cases[name];
    if (found === undefined) throw new Error(`the case did not run in ${mode}`);
    return found;
  }
});
