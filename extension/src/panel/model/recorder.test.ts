import { beforeEach, describe, expect, it } from 'vitest';
import type { HelpState } from '../../messages/panel.ts';
import { loadModel } from './loadModel.ts';
import { Recorder } from './recorder.ts';
import { START_MS, testRequest, testWay } from './testing.ts';

const PAGE = 'https://a.test/';
const timing = (startMs: number) => ({ type: 'timing', startMs, firstPaintMs: null, contentfulPaintMs: 100, parsedMs: null, loadedMs: 500 }) as const;
const state = (isHelping: boolean) => ({ type: 'state', state: { isHelping, helper: 'absent', canRecord: false, connections: 'browser', driver: null } satisfies HelpState }) as const;

describe('the recorder', () => {
  let recorder: Recorder;
  beforeEach(() => {
    recorder = new Recorder();
  });
  const urls = (): string[] => recorder.load?.record.requests.map(({ url }) => url) ?? [];

  it('begins a load with its document, whichever of navigation and document is heard of first', () => {
    recorder.hear(timing(START_MS), START_MS + 50);
    recorder.navigated(PAGE, START_MS + 60);
    expect(recorder.load).toMatchObject({ startMs: START_MS, url: PAGE });
    recorder.navigated(`${PAGE}next`, START_MS + 5_000);
    recorder.hear(timing(START_MS + 4_800), START_MS + 5_010);
    expect(recorder.load).toMatchObject({ startMs: START_MS + 4_800, url: `${PAGE}next` });
    expect(recorder.load?.record.timing?.startMs).toBe(START_MS + 4_800);
  });

  it('is not told twice of one navigation: the request, the document and the browser may each be first', () => {
    recorder.hear(timing(START_MS), START_MS);
    recorder.request(testRequest(0, PAGE, 1, 90, { kind: 'document' }));
    recorder.navigated(PAGE, START_MS + 100);
    expect(urls()).toEqual([PAGE]);
    recorder.navigated(PAGE, START_MS + 5_000);
    expect(urls()).toEqual([]);
    recorder.request(testRequest(0, PAGE, 4_900, 90, { kind: 'document' }));
    expect(recorder.load).toMatchObject({ startMs: START_MS + 4_900, url: PAGE });
    expect(urls()).toEqual([PAGE]);
  });

  it('knows a page that was there before by its document', () => {
    recorder.hear(timing(START_MS), START_MS + 5_000);
    recorder.request(testRequest(0, PAGE, 10, 90, { kind: 'document' }));
    recorder.request(testRequest(0, `${PAGE}frame`, 300, 90, { kind: 'document' }));
    expect(recorder.load?.url).toBe(PAGE);
  });

  it('gives each load what began in it, although the browser tells of the navigation late', () => {
    recorder.hear(timing(START_MS), START_MS);
    recorder.request(testRequest(0, PAGE, 0));
    recorder.hear({ type: 'requests', requests: { wallOffsetMs: START_MS, events: testWay(0, `${PAGE}next`, 4_900).map((event) => ({ ...event, atMs: event.atMs - START_MS })) } }, START_MS + 4_950);
    recorder.request(testRequest(0, `${PAGE}next`, 4_900));
    recorder.navigated(`${PAGE}next`, START_MS + 5_000);
    recorder.request(testRequest(0, `${PAGE}a.jpg`, 5_100));
    recorder.hear(timing(START_MS + 4_880), START_MS + 5_200);
    recorder.request(testRequest(0, `${PAGE}late`, 4_000));
    expect(urls()).toEqual([`${PAGE}next`, `${PAGE}a.jpg`]);
    expect(recorder.load?.ways.requests).toMatchObject([{ url: `${PAGE}next`, askedMs: START_MS + 4_900 }]);
    expect(new Set(recorder.load?.record.requests.map(({ id }) => id)).size).toBe(2);
  });

  it('takes a page out of the back/forward cache for no new load', () => {
    recorder.hear(timing(START_MS + 9_000), START_MS + 9_000);
    recorder.hear(timing(START_MS), START_MS + 9_500);
    expect(recorder.load?.startMs).toBe(START_MS + 9_000);
    expect(recorder.load?.record.timing?.startMs).toBe(START_MS + 9_000);
  });

  it('is compared with the latest load of the same page that was not helped', () => {
    const visit = (startMs: number, isHelping: boolean, lastsMs: number): void => {
      recorder.hear(state(isHelping), START_MS + startMs);
      recorder.hear(timing(START_MS + startMs), START_MS + startMs);
      recorder.navigated(PAGE, START_MS + startMs);
      recorder.request(testRequest(0, PAGE, startMs, lastsMs, { kind: 'document' }));
      recorder.hear({ type: 'inspected', objects: [], origins: [] }, START_MS + startMs + 2_000);
    };
    visit(0, false, 900);
    expect(recorder.twin).toBeNull();
    visit(10_000, true, 600);
    expect(recorder.twin?.firstScreenMs).toBe(900);
    visit(20_000, false, 700);
    expect(recorder.twin?.firstScreenMs).toBe(600);
    const { neededMs = 0, wasteMs = 0, idleMs = 0 } = recorder.twin?.shares ?? {};
    expect(neededMs + wasteMs + idleMs).toBe(600);
  });

  it('is compared with a load without what was heard of the next one before that was known to have begun', () => {
    recorder.hear(state(false), START_MS);
    recorder.hear(timing(START_MS), START_MS);
    recorder.navigated(PAGE, START_MS);
    recorder.request(testRequest(0, PAGE, 0, 900, { kind: 'document' }));
    recorder.hear({ type: 'inspected', objects: [], origins: [] }, START_MS + 2_000);
    recorder.hear(state(true), START_MS + 9_000);
    recorder.request(testRequest(0, PAGE, 10_000, 50, { kind: 'document' }));
    recorder.hear({ type: 'requests', requests: { wallOffsetMs: 0, events: testWay(0, `${PAGE}a.jpg`, 10_020) } }, START_MS + 10_060);
    recorder.hear(timing(START_MS + 10_000), START_MS + 10_060);
    recorder.navigated(PAGE, START_MS + 10_070);
    expect(recorder.twin?.firstScreenMs).toBe(900);
  });

  it('forgets what there is when it is told to, and goes on', () => {
    recorder.hear(timing(START_MS), START_MS);
    recorder.request(testRequest(0, PAGE, 0));
    recorder.clear();
    expect(urls()).toEqual([]);
    recorder.request(testRequest(0, `${PAGE}a.jpg`, 100));
    expect(urls()).toEqual([`${PAGE}a.jpg`]);
    expect(recorder.load?.startMs).toBe(START_MS);
  });

  it('follows where images stand, from the layout on and after each scroll', () => {
    const view = { x: 0, y: 0, width: 100, height: 100 };
    const rect = { x: 0, y: 500, width: 10, height: 10 };
    recorder.hear(timing(START_MS), START_MS);
    recorder.request(testRequest(0, `${PAGE}a.jpg`, 0));
    recorder.hear({ type: 'layout', view, isVisible: true, isParsed: true, look: 0, isWhole: false, images: [{ url: `${PAGE}a.jpg`, placement: { state: 'placed', rect } }] }, START_MS);
    const classNow = (): unknown => loadModel(recorder.load!.record, recorder.load!.ways, START_MS + 1_000).requests[0]?.objectClass;
    expect(classNow()).toBe('other');
    recorder.hear({ type: 'shown', view: { ...view, y: 450 }, page: { width: 100, height: 900 }, images: [] }, START_MS);
    expect(classNow()).toBe('inView');
  });
});
