import { expect, it } from 'vitest';
import type { MeasuredLoad } from '../../settings/measuredPages.ts';
import { measuredPage } from '../../settings/testing.ts';
import { START_MS } from './testing.ts';
import { linkOf, twinOf } from './twin.ts';

const SEEN: MeasuredLoad = { firstScreenMs: 900, shares: { neededMs: 500, wasteMs: 300, idleMs: 100 } };
const MEASURED = measuredPage();
const { stock, atMs, link, pairs } = MEASURED;
const SAMPLE = { atMs: START_MS, rateBitsPerSecond: 1_400_000, rttMs: 160, isMeasured: true };
const HELPED = { isHelped: true, links: [SAMPLE] };
const OF_MEASURED = { kind: 'measured', load: stock, atMs, link, loads: pairs, isThisLink: true };

it.each<[string, unknown, Parameters<typeof twinOf>]>([
  ['the last one without help in this panel, rather than one that was measured', { kind: 'seen', isHelped: false, load: SEEN }, [HELPED, SEEN, MEASURED]],
  ['the last one with help, where this one is without', { kind: 'seen', isHelped: true, load: SEEN }, [{ ...HELPED, isHelped: false }, SEEN, MEASURED]],
  ['one that was measured without', OF_MEASURED, [HELPED, null, MEASURED]],
  ['one that was measured on another link, which is told', { ...OF_MEASURED, isThisLink: false }, [{ ...HELPED, links: [{ ...SAMPLE, rttMs: 20 }] }, null, MEASURED]],
  ['one that was measured, on a link that may be another one as nobody knows this one', { ...OF_MEASURED, isThisLink: false }, [{ ...HELPED, links: [] }, null, MEASURED]],
  ['nothing, where nothing was measured', null, [HELPED, null, null]],
  ['nothing, where it was measured without knowing the link', null, [HELPED, null, measuredPage({ link: null, stock: null })]],
  ['nothing that was measured, where this load is without help itself', null, [{ ...HELPED, isHelped: false }, null, MEASURED]],
  ['nothing, while nobody has told whether this load is helped', null, [{ ...HELPED, isHelped: null }, null, MEASURED]],
])('a load is compared with %s', (_, twin, known) => expect(twinOf(...known)).toEqual(twin));

it('the link is that of the last sample that was measured', () => {
  expect(linkOf([SAMPLE, { ...SAMPLE, rttMs: 9 }, { ...SAMPLE, rttMs: 500, isMeasured: false }])).toEqual({ rateBitsPerSecond: 1_400_000, rttMs: 9 });
  expect(linkOf([{ ...SAMPLE, isMeasured: false }])).toBeNull();
});
