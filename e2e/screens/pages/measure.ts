import { NOW_MS, type World } from '../fakeExtension.ts';
import type { ScreenPage, ScreenState } from '../screenPage.ts';

const SUBJECT = { host: 'news.example', refusal: null, isMetered: false, isHelped: true, canBeginCold: true, hasMemory: true };
const PAIRS = 8;
const RESULT_HEIGHT = 400;
const STARTED_MS = NOW_MS - 190_000;
/** Of each pair, in milliseconds. */
const WITH_MS = [2_310, 2_480, 2_260, 2_390, 2_550, 2_330, 2_270, 2_420];
const WITHOUT_MS = [2_960, 3_120, 2_850, 2_790, 3_260, 2_900, 3_020, 2_880];
const PLAN = [{ pair: 0, side: 'without' }, ...Array.from({ length: PAIRS }, (_, place) => [{ pair: place + 1, side: 'with' }, { pair: place + 1, side: 'without' }]).flat()];
const FIRST_DROPPED = { load: 1, pair: 0, side: 'without', reason: 'first' };

const DAY = Math.floor(NOW_MS / 86_400_000);
const LINK = { rateBitsPerSecond: 1_430_000, rttMs: 151 };
const HISTORY = {
  compareVisits: true,
  history: [{ host: 'news.example', with: [2_310, 2_450, 2_380].map((isrtMs) => ({ isrtMs, day: DAY, link: LINK })), without: [{ isrtMs: 2_980, day: DAY - 2, link: LINK }] }],
};

export const MEASURE: ScreenPage = {
  name: 'measure',
  width: 800,
  height: 'whole',
  states: [
    state('before', 'Pairs of loads', null),
    state('refused', 'Only pages of the web', null, { ...SUBJECT, host: '', refusal: 'notWeb' }),
    state('asking', 'will cost about 21.4 MB', { ...measurement({ name: 'asking', place: 1, attempt: 1, sinceMs: NOW_MS }, []), asks: true }, { ...SUBJECT, isMetered: true }),
    state('running', 'Load 7 of', measurement({ name: 'loading', place: 6, attempt: 1, sinceMs: NOW_MS - 4_000 }, countedOf(WITHOUT_MS).slice(0, 5))),
    state('sooner', 'sooner', measurement({ name: 'ended', why: 'complete' }, countedOf(WITHOUT_MS)), SUBJECT, { storage: HISTORY }),
    result('no-difference', 'No difference shown', measurement({ name: 'ended', why: 'complete' }, countedOf([2_400, 2_350, 2_300, 2_410, 2_460, 2_290, 2_380, 2_330]))),
    result('too-few', 'Too few pairs', measurement({ name: 'ended', why: 'cancelled' }, countedOf(WITHOUT_MS).slice(0, 4))),
  ],
};

function countedOf(withoutMs: readonly number[]): object[] {
  return PLAN.slice(1).map(({ pair, side }, place) => ({ load: place + 2, pair, side, isrtMs: (side === 'with' ? WITH_MS : withoutMs)[pair - 1], fcpMs: 900, lcpMs: 1_900, carried: { neededBytes: 310_000, otherBytes: 160_000 } }));
}

function measurement(phase: object, counted: readonly object[]): object {
  return {
    url: 'https://news.example/world', options: { pairs: PAIRS, visit: 'first', isCold: true }, asks: false, startedMs: STARTED_MS, waitedMs: 0, plan: PLAN, phase, tabId: 2, isSeen: true,
    load: counted.length + 1, bytesPerLoad: 1_340_000, counted, dropped: [FIRST_DROPPED],
  };
}

function state(name: string, shows: string, measured: object | null, subject: object = SUBJECT, world: Partial<World> = {}): ScreenState {
  return { name, shows, world: { ...world, news: { measuring: [{ type: 'subject', subject }, { type: 'measurement', measurement: measured }] } } };
}

/** Without what is below it, as in the other states. */
function result(name: string, shows: string, measured: object): ScreenState {
  return { ...state(name, shows, measured), height: RESULT_HEIGHT };
}
