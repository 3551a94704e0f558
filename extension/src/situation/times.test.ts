import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, dayOf } from '../../../shared/src/memory/cachedUntil.ts';
import { STATUS } from '../messages/testing.ts';
import { measuredPage } from '../settings/testing.ts';
import { shippedTexts } from '../ui/testing.ts';
import type { PageNow, Situation } from './situation.ts';
import { SITUATIONS } from './testing.ts';
import { timesText, type KnownTimes, type TimesText } from './times.ts';

beforeEach(() => vi.stubGlobal('chrome', { i18n: shippedTexts('en') }));

const MEASURED = measuredPage();
const NOW_MS = MEASURED.atMs + 3 * DAY_MS;
const VISITS: KnownTimes['visits'] = { with: { visits: 12, medianMs: 2_100, sinceDay: dayOf(NOW_MS) - 9 }, without: { visits: 3, medianMs: 2_900, sinceDay: dayOf(NOW_MS) - 4 } };
const ALL: KnownTimes = { firstScreen: { isrtMs: 2_050, side: 'with' }, measured: MEASURED, visits: VISITS };
const NOTHING: TimesText = { took: '', gain: '', visits: '' };

/** On the link on which the page was measured, as it is seen now. */
function here({ status, ...now }: PageNow, link: Partial<typeof STATUS.link> = {}): PageNow {
  return { ...now, status: status && { ...status, link: { ...STATUS.link, isRateMeasured: true, isRttMeasured: true, ...link } } };
}

const tell = (now: PageNow, change: Partial<KnownTimes> = {}): TimesText => timesText(now, { ...ALL, ...change }, NOW_MS);
const READY = here(SITUATIONS.ready);

/** In which nothing is done, nothing is known, or the user wants nothing of it. */
const SILENT: readonly Situation[] = ['off', 'noAccess', 'closedPage', 'offHere', 'starting'];

describe('how long first screens take', () => {
  it.each((Object.keys(SITUATIONS) as Situation[]).map((situation) => [situation, SILENT.includes(situation) ? 'nothing' : 'all that is known'] as const))('%s: %s is told', (situation, told) => {
    const texts = tell(here(SITUATIONS[situation]));
    if (told === 'nothing') expect(texts).toEqual(NOTHING);
    else expect(Object.entries(texts).filter(([, text]) => text !== '').map(([name]) => name)).toEqual(['took', 'gain']);
  });

  it('tells that of this load, and without Firstscreen where it had no part in it', () => {
    expect(tell(READY).took).toBe('First screen of this page: 2.1 s.');
    expect(tell(READY, { firstScreen: { isrtMs: 900, side: 'without' } }).took).toBe('First screen of this page: 0.90 s, without Firstscreen.');
  });

  it.each<[string, Partial<KnownTimes>, string]>([
    ['it was measured to be sooner', {}, 'Measured on this link: 20% sooner with Firstscreen (95% sure: between 18% and 25%). 8 pairs of loads, 3 days ago.'],
    ['it was measured to be later', { measured: measuredPage({ shows: 'later', ratio: { value: 1.1, low: 1.04, high: 1.2 } }) }, 'Measured on this link: 10% later with Firstscreen (95% sure: between 4% and 20%). 8 pairs of loads, 3 days ago.'],
    ['no difference was shown, which is no saving', { measured: measuredPage({ shows: 'nothing', ratio: { value: 0.8, low: 0.7, high: 1.01 } }) }, 'Measured on this link: no difference shown. 8 pairs of loads, 3 days ago.'],
    ['it was measured today', { measured: measuredPage({ atMs: NOW_MS - 7_200_000 }) }, 'Measured on this link: 20% sooner with Firstscreen (95% sure: between 18% and 25%). 8 pairs of loads, 2 hours ago.'],
    ['it was measured on a faster link', { measured: measuredPage({ link: { rateBitsPerSecond: 20_000_000, rttMs: 150 } }) }, 'Measured on another link (3 days ago), but not on this one.'],
    ['nobody knows on which', { measured: measuredPage({ link: null }) }, 'Measured on another link (3 days ago), but not on this one.'],
    ['it was not measured', { measured: null }, ''],
  ])('tells the gain where %s', (_, change, text) => expect(tell(READY, change).gain).toBe(text));

  it.each([
    ['is another one now', { rttMs: 20 }],
    ['is assumed', { isRateMeasured: false }],
  ])('tells no gain where the link %s', (_, link) => expect(tell(here(SITUATIONS.ready, link)).gain).toBe('Measured on another link (3 days ago), but not on this one.'));

  it('tells of visits on this link where nothing was measured there and there are some of both sides, how many, and since when', () => {
    expect(tell(READY, { measured: null }).visits).toBe('Your visits to this site on this link: 2.1 s with Firstscreen (median of 12), 2.9 s without (median of 3). The oldest: 9 days ago.');
    expect(tell(READY, { measured: null, visits: { ...VISITS, without: null } }).visits).toBe('');
    expect(tell(READY, { measured: null, visits: { ...VISITS, with: null } }).visits).toBe('');
    // another link says nothing of this one
    expect(tell(READY, { measured: measuredPage({ link: null }) }).visits).not.toBe('');
  });
});
