import fc from 'fast-check';
import { expect, it } from 'vitest';
import { beginOf } from '../../../../shared/src/waterfall/bars.ts';
import { loadModel, panelLanes } from './loadModel.ts';
import { START_MS, testRecord, testRequest } from './testing.ts';
import { ROW_HEIGHT, between, requestAt, topOf, waterfallLayout } from './waterfallLayout.ts';

const loads = fc.array(fc.record({ host: fc.constantFrom('a.test', 'b.test', 'c.test'), connection: fc.constantFrom('1', '2'), atMs: fc.nat(3_000), lastsMs: fc.integer({ min: 20, max: 500 }) }), { minLength: 1, maxLength: 60 });

it('every request is found where it is drawn, and what is seen is what stands there', () => {
  fc.assert(fc.property(loads, fc.nat(800), fc.nat(400), (all, top, height) => {
    const model = loadModel(testRecord({ requests: all.map(({ host, connection, atMs, lastsMs }, id) => testRequest(id, `https://${host}/${id}`, atMs, lastsMs, { connection })) }), { requests: [], connections: [] }, START_MS + 9_000);
    const layout = waterfallLayout(panelLanes(model, model.requests));
    for (const { lane } of layout.lanes) {
      for (const bar of lane.bars) {
        const y = topOf(layout, bar.key) ?? -1;
        expect(requestAt(layout, y + ROW_HEIGHT / 2, (beginOf(bar) + bar.endMs) / 2, 0)?.key).toBe(bar.key);
      }
    }
    expect(between(layout.lanes, top, top + height)).toEqual(layout.lanes.filter((lane) => lane.bottom >= top && lane.top <= top + height));
    expect(layout.height).toBe(layout.servers.at(-1)?.bottom);
  }));
});

it('nothing is where nothing is drawn', () => {
  const model = loadModel(testRecord({ requests: [testRequest(0, 'https://a.test/', 500)] }), { requests: [], connections: [] }, START_MS);
  const layout = waterfallLayout(panelLanes(model, model.requests));
  expect(requestAt(layout, 5, 520, 0)).toBeNull();
  expect(requestAt(layout, 25, 100, 0)).toBeNull();
  expect(requestAt(layout, 25, 495, 10)?.key).toBe('b0');
  expect(topOf(layout, 'b9')).toBeNull();
});

it('what came from the cache is no connection of its server', () => {
  const requests = [testRequest(0, 'https://a.test/0', 0, 90, { connection: '1' }), testRequest(1, 'https://a.test/1', 200, 1, { connection: null, isCached: true })];
  const model = loadModel(testRecord({ requests }), { requests: [], connections: [] }, START_MS);
  expect(waterfallLayout(panelLanes(model, model.requests)).servers).toMatchObject([{ server: 'a.test', connections: 1 }]);
});
