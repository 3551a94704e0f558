import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { START_MS, testRecord, testRequest, testWay } from './model/testing.ts';
import { Panel } from './panel.ts';
import type { PanelState } from './views/panelState.ts';

const URL_A = 'https://a.test/a.jpg';
const shifted = (events: ReturnType<typeof testWay>) => ({ type: 'requests', requests: { wallOffsetMs: START_MS, events: events.map((event) => ({ ...event, atMs: event.atMs - START_MS })) } }) as const;

let states: PanelState[];
let panel: Panel;
beforeEach(() => {
  vi.useFakeTimers({ now: START_MS + 50 });
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw, 0));
  states = [];
  panel = new Panel(() => [{ update: (state) => states.push(state) }]);
});
afterEach(() => vi.useRealTimers());

const now = (): PanelState | undefined => states.at(-1);
const keys = (): string[] => now()?.shown.map(({ key }) => key) ?? [];

it('shows a burst at once, and what a person does without delay', async () => {
  for (let id = 0; id < 100; id += 1) panel.request(testRequest(id, `${URL_A}?${id}`, id));
  await vi.advanceTimersByTimeAsync(150);
  expect(states).toHaveLength(1);
  expect(keys()).toHaveLength(100);
  panel.setFilter({ text: '?42' });
  await vi.advanceTimersByTimeAsync(5);
  expect(keys()).toEqual(['b42']);
  expect(states[0]?.model, 'nothing is reckoned anew for a filter').toBe(now()?.model);
});

it('a request stays selected when the browser tells of it, too', async () => {
  panel.hear(shifted(testWay(0, URL_A, 20).slice(0, 2)));
  await vi.advanceTimersByTimeAsync(120);
  panel.select('w0');
  await vi.advanceTimersByTimeAsync(5);
  expect(now()?.selected?.key).toBe('w0');
  panel.hear(shifted(testWay(0, URL_A, 20).slice(2)));
  panel.request(testRequest(0, URL_A, 15));
  await vi.advanceTimersByTimeAsync(300);
  expect(keys()).toEqual(['b0']);
  expect(now()?.selected).toMatchObject({ key: 'b0', way: { request: 0 } });
});

it('what is under way grows, and nothing is drawn when nothing does', async () => {
  panel.hear(shifted(testWay(0, URL_A, 20).slice(0, 2)));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(states.length).toBeGreaterThan(4);
  panel.hear(shifted(testWay(0, URL_A, 20).slice(2)));
  panel.request(testRequest(0, URL_A, 15));
  await vi.advanceTimersByTimeAsync(1_000);
  const { length } = states;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(states).toHaveLength(length);
});

it('a file is shown as it is while the tab is recorded on, and then the tab again', async () => {
  panel.request(testRequest(0, URL_A, 0));
  panel.show(testRecord({ requests: [testRequest(7, `${URL_A}?file`, 0)] }));
  panel.request(testRequest(0, `${URL_A}?more`, 10));
  await vi.advanceTimersByTimeAsync(500);
  expect(now()?.shown.map(({ url }) => url)).toEqual([`${URL_A}?file`]);
  expect(now()?.help).toBeNull();
  panel.show(null);
  await vi.advanceTimersByTimeAsync(500);
  expect(keys()).toHaveLength(2);
});

it('what a load was compared with is saved with it, and shown again', async () => {
  const twin = { kind: 'seen', isHelped: false, load: { firstScreenMs: 900, shares: { neededMs: 500, wasteMs: 300, idleMs: 100 } } } as const;
  panel.show(testRecord({ requests: [testRequest(7, URL_A, 0)], twin }));
  await vi.advanceTimersByTimeAsync(500);
  expect([now()?.twin, panel.current?.record.twin]).toEqual([twin, twin]);
});

it('hears nothing while it does not record', async () => {
  panel.isRecording = false;
  panel.request(testRequest(0, URL_A, 0));
  panel.navigated(URL_A);
  panel.hear(shifted(testWay(0, URL_A, 20)));
  await vi.advanceTimersByTimeAsync(500);
  expect(states).toEqual([]);
});
