import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CountedLoad, Measurement, Phase } from '../messages/measuring.ts';
import { exportOf, textOf } from './exports.ts';
import { shippedTexts } from '../ui/testing.ts';
import { resultOf } from './result.ts';
import { leftText, meaningText, phaseText, verdictDetail, verdictText } from './wording.ts';

beforeEach(() => vi.stubGlobal('chrome', { i18n: shippedTexts('en') }));

const pairs = (all: readonly (readonly [number, number])[]): CountedLoad[] =>
  all.flatMap(([withMs, withoutMs], place) => [
    { pair: place + 1, side: 'with' as const, isrtMs: withMs, load: 2 * place + 2, fcpMs: 300, lcpMs: null, carried: { neededBytes: 0, otherBytes: 0 } },
    { pair: place + 1, side: 'without' as const, isrtMs: withoutMs, load: 2 * place + 3, fcpMs: 300, lcpMs: null, carried: { neededBytes: 0, otherBytes: 0 } },
  ]);
const SOONER = pairs([[2_000, 2_900], [2_100, 2_900], [2_200, 2_900], [2_050, 2_900], [2_150, 2_900], [2_100, 2_900]]);
const LATER = SOONER.map((load) => ({ ...load, side: load.side === 'with' ? ('without' as const) : ('with' as const) }));
const SAME = pairs([[2_000, 2_100], [2_100, 2_000], [2_050, 2_100], [2_100, 2_050], [2_000, 2_050], [2_050, 2_000]]);

const wordsOf = (...result: Parameters<typeof verdictText>): string => `${verdictText(...result)} ${verdictDetail(...result)}`;

describe('the result in words', () => {
  it.each<[string, CountedLoad[], string[]]>([
    ['a gain, with what it surely is', SOONER, ['Firstscreen: 2.1 s, without: 2.9 s.', '28% sooner with Firstscreen.', '95% sure: between', 'sooner and']],
    ['a loss as plainly', LATER, ['Firstscreen: 2.9 s, without: 2.1 s.', '38% later with Firstscreen.']],
    ['no difference, and what would show one', SAME, ['No difference shown.', '% later and', 'sooner.', 'One of 5% would have shown.']],
    ['too few pairs, without a gain', SOONER.slice(0, 4), ['Too few pairs for a result: 2 of at least 6.']],
    ['nothing', [], ['Nothing was measured.']],
  ])('says %s', (_, counted, parts) => {
    const text = wordsOf(resultOf(counted));
    for (const part of parts) expect(text).toContain(part);
    expect(text).not.toContain('NaN');
  });

  it('claims no gain where none is shown', () => {
    for (const counted of [SAME, SOONER.slice(0, 4), []]) expect(verdictText(resultOf(counted))).not.toMatch(/^\d+% sooner/);
  });

  it('asks for more pairs where they scatter', () => {
    const scattered = pairs([[1_000, 2_000], [2_000, 1_000], [1_500, 1_600], [1_600, 1_500], [1_200, 2_000], [2_000, 1_300]]);
    expect(wordsOf(resultOf(scattered))).toMatch(/More pairs, to show one of 5%: about \d+\./);
  });

  it('says it in German, too', async () => {
    vi.stubGlobal('chrome', { i18n: shippedTexts('de') });
    vi.resetModules();
    const words = await import('./wording.ts');
    const result = resultOf(SOONER);
    expect(`${words.verdictText(result)} ${words.verdictDetail(result)}`).toMatch(/^28\s% früher mit Firstscreen\. Firstscreen: 2,1 s, ohne: 2,9 s\. Zu 95 % sicher: zwischen/);
  });
});

const RUNNING: Measurement = {
  url: 'https://a.test/page?secret=1', options: { pairs: 6, visit: 'first', isCold: false }, asks: false, startedMs: 0, waitedMs: 0, plan: [{ pair: 0, side: 'with' }, ...SOONER.map(({ pair, side }) => ({ pair, side }))],
  phase: { name: 'loading', place: 2, attempt: 1, sinceMs: 0 }, tabId: 1, isSeen: true, load: 3, bytesPerLoad: 2_000_000, counted: SOONER.slice(0, 1), dropped: [{ pair: 0, side: 'with', load: 1, reason: 'first' }],
};
const at = (phase: Phase): Measurement => ({ ...RUNNING, phase });

describe('how it stands, in words', () => {
  it.each<[string, Measurement, string]>([
    ['a load', RUNNING, 'Load 3 of 13: without.'],
    ['a tab that nobody sees', { ...RUNNING, isSeen: false }, 'Waiting: bring the measured tab to the front.'],
    ['a question', at({ name: 'asking', place: 1, attempt: 1, sinceMs: 0 }), 'The loads that are left will cost about 24.0 MB of data. Go on?'],
    ['an end', at({ name: 'ended', why: 'tabClosed' }), 'Ended: the measured tab was closed.'],
  ])('%s', (_, measurement, text) => expect(phaseText(measurement)).toBe(text));

  it('says how long it takes still, and what it costs', () => {
    expect(leftText(RUNNING, 40_000)).toBe('About 4 min left. About 22.0 MB of data to come.');
    expect(leftText({ ...RUNNING, bytesPerLoad: null }, 4_000)).toBe('Less than a minute left.');
    expect(leftText(at({ name: 'asking', place: 1, attempt: 1, sinceMs: 0 }), 4_000)).not.toContain('data');
    expect(leftText(at({ name: 'opening', sinceMs: 0 }), 4_000)).toBe('');
  });
});

it('says whether loads began as first visits do', () => {
  expect(meaningText({ ...RUNNING, options: { ...RUNNING.options, isCold: true } })).toMatch(/from outside\. Each load began without connections, but/);
  expect(meaningText(RUNNING)).toMatch(/from outside\. Connections were there from the load before/);
});

describe('what is given away', () => {
  const ended = { ...at({ name: 'ended', why: 'complete' }), counted: SOONER };

  it('names the page without its query, and every load once, in order', () => {
    const lines = textOf(ended, resultOf(ended.counted)).split('\n');
    expect(lines[0]).toBe('Firstscreen: https://a.test/page');
    expect(lines.filter((line) => line.startsWith('Load ')).map((line) => Number(/\d+/.exec(line)?.[0]))).toEqual(Array.from({ length: 13 }, (_, place) => place + 1));
    expect(lines.join()).toContain('Load 1, pair 0, with Firstscreen: not counted (the first load is to make names known)');
  });

  it('is complete as JSON, and has no number that JSON has not', () => {
    const by = { extensionVersion: '1.0', browser: 'Test' };
    const text = JSON.stringify(exportOf(ended, resultOf(ended.counted), by));
    expect(text).not.toContain('secret');
    expect(JSON.parse(text)).toMatchObject({ version: 1, url: 'https://a.test/page', pairs: 6, visit: 'first', isCold: false, ended: 'complete', shows: 'sooner', pairsCounted: 6, extensionVersion: '1.0' });
    expect(exportOf({ ...ended, counted: [] }, resultOf([]), by).ratio).toBeNull();
  });
});
