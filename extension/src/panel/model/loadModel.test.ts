import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FetchClass } from '../../../../shared/src/fetching/fetchObject.ts';
import { requestWays } from '../../../../shared/src/requests/requestWays.ts';
import { budgetOf } from './budget.ts';
import { loadModel, panelLanes, type LoadModel } from './loadModel.ts';
import type { LoadRecord } from './loadRecord.ts';
import { reasonsOf } from './why.ts';
import { START_MS, testRecord, testRequest, testWay } from './testing.ts';

const PAGE = 'https://a.test/';
const NOW_MS = START_MS + 20_000;
const modelOf = (change: Partial<LoadRecord>): LoadModel => {
  const record = testRecord(change);
  return loadModel(record, requestWays(record.events), NOW_MS);
};
const TIMING = { startMs: START_MS, firstPaintMs: null, contentfulPaintMs: 250, parsedMs: 300, loadedMs: 2_000 };
const LINK = { atMs: START_MS, rateBitsPerSecond: 800_000, rttMs: 100, isMeasured: true };
/** A document, a style sheet and an image in view; an image that is not, in between. 9 kB each take 90 ms at 800 kbit/s. */
const LOAD: Partial<LoadRecord> = {
  timing: TIMING,
  links: [LINK],
  needs: [{ url: `${PAGE}a.css`, kind: 'style' }, { url: `${PAGE}in.jpg`, kind: 'image' }],
  requests: [
    testRequest(0, PAGE, 0, 300, { kind: 'document' }), testRequest(1, `${PAGE}a.css`, 300, 300, { kind: 'style' }),
    testRequest(2, `${PAGE}off.jpg`, 300, 300), testRequest(3, `${PAGE}in.jpg`, 600, 300), testRequest(4, `${PAGE}later.jpg`, 900, 300),
  ],
};

describe('a load', () => {
  it('is what was needed, what was in vain, and what was idle until the first screen', () => {
    const { firstScreenMs, shares, rate, wastedBytes, neededBytes } = modelOf(LOAD);
    expect(firstScreenMs).toBe(900);
    expect(rate).toEqual({ bitsPerSecond: 800_000, isMeasured: true });
    expect([neededBytes, wastedBytes]).toEqual([27_000, 9_000]);
    expect(shares).toEqual({ neededMs: 270, wasteMs: 90, idleMs: 540 });
  });

  it('has no first screen before all that it needs has come, and none before the paint', () => {
    expect(modelOf({ ...LOAD, needs: null }).firstScreenMs).toBeNull();
    const [asked, sent] = testWay(0, `${PAGE}in.jpg`, 5_000);
    expect(modelOf({ ...LOAD, events: [asked!, sent!] }).firstScreenMs).toBeNull();
    expect(modelOf({ ...LOAD, timing: { ...TIMING, contentfulPaintMs: 1_500 } }).firstScreenMs).toBe(1_500);
  });

  it('does not wait for what comes once more out of the cache, but for what is fetched once more', () => {
    const again = (isCached: boolean): number | null => modelOf({ ...LOAD, requests: [...LOAD.requests!, testRequest(9, `${PAGE}in.jpg`, 5_000, 3, { isCached })] }).firstScreenMs;
    expect([again(true), again(false)]).toEqual([900, 5_003]);
  });

  it('goes by the rate that was seen, where none was measured', () => {
    const { rate, shares } = modelOf({ ...LOAD, links: [{ ...LINK, isMeasured: false }] });
    expect(rate?.isMeasured).toBe(false);
    expect(shares).not.toBeNull();
    expect(modelOf({}).shares).toBeNull();
  });

  it('has classes by what its page needed; before it has said so, by place and kind', () => {
    const classes = ({ requests }: LoadModel): Record<string, string> => Object.fromEntries(requests.map(({ name, objectClass }) => [name, objectClass]));
    expect(classes(modelOf(LOAD))).toEqual({ 'a.test': 'layout', 'a.css': 'layout', 'off.jpg': 'other', 'in.jpg': 'inView', 'later.jpg': 'other' });
    const rect = (y: number) => ({ x: 0, y, width: 9, height: 9 });
    const places = { view: { x: 0, y: 0, width: 100, height: 100 }, page: null, images: [{ url: `${PAGE}off.jpg`, rect: rect(900) }, { url: `${PAGE}in.jpg`, rect: rect(9) }] };
    expect(classes(modelOf({ ...LOAD, needs: null, places }))).toEqual({ 'a.test': 'layout', 'a.css': 'layout', 'off.jpg': 'other', 'in.jpg': 'inView', 'later.jpg': 'unplaced' });
  });

  it('has lanes by server and by the connection that carried a request: the helper\'s where it did', () => {
    const events = [{ type: 'connecting', atMs: START_MS + 1, connection: 7, origin: 'https://a.test' }, { type: 'connected', atMs: START_MS + 9, connection: 7, isMultiplexed: true }, ...testWay(0, `${PAGE}in.jpg`, 605)] as const;
    const model = modelOf({ ...LOAD, events: [...events], requests: [...(LOAD.requests ?? []), testRequest(5, 'https://b.test/x.js', 100, 90, { connection: '9' })] });
    expect(panelLanes(model, model.requests).map(({ server, connection, opening, bars }) => [server, connection, opening, bars.map(({ name }) => name)])).toEqual([
      ['a.test', '1', null, ['a.test', 'a.css', 'off.jpg', 'later.jpg']],
      ['a.test', 'h7', { fromMs: 1, toMs: 9 }, ['in.jpg']],
      ['b.test', '9', null, ['x.js']],
    ]);
  });

  it('counts connections by server, those in vain too', () => {
    const requests = [...(LOAD.requests ?? []), testRequest(5, `${PAGE}off2.jpg`, 350, 90, { connection: '2' }), testRequest(6, 'https://b.test/x', 5_000, 90, { kind: 'other', connection: '9' })];
    const model = modelOf({ ...LOAD, requests });
    expect(budgetOf(panelLanes(model, model.requests), model.firstScreenMs)).toMatchObject([{ server: 'a.test', connections: 2, uselessConnections: 1, mostAtOnce: 2, requests: 6 }, { server: 'b.test', connections: 1, uselessConnections: 0, mostAtOnce: 1 }]);
  });

  it('has every request once, in one lane, whatever was told', () => {
    const some = fc.array(fc.record({ url: fc.constantFrom(PAGE, `${PAGE}a`, 'https://b.test/'), atMs: fc.nat(3_000), lastsMs: fc.nat(900), isCarried: fc.boolean(), connection: fc.constantFrom('1', '2', null) }), { maxLength: 30 });
    fc.assert(fc.property(some, fc.boolean(), (all, isAtRest) => {
      const model = modelOf({
        ...LOAD, needs: isAtRest ? [] : null,
        requests: all.map(({ url, atMs, lastsMs, connection }, id) => testRequest(id, url, atMs, lastsMs, { connection })),
        events: all.flatMap(({ url, atMs, lastsMs, isCarried }, id) => (isCarried ? testWay(id, url, atMs, lastsMs, id % 3) : [])),
      });
      expect(new Set(model.requests.map(({ key }) => key)).size).toBe(all.length);
      const lanes = panelLanes(model, model.requests);
      expect(lanes.flatMap(({ bars }) => bars.map(({ key }) => key)).sort()).toEqual(model.requests.map(({ key }) => key).sort());
      for (const lane of lanes) for (const bar of lane.bars) expect([bar.server, bar.connection]).toEqual([lane.server, lane.connection]);
      const { shares, firstScreenMs } = model;
      if (shares !== null) expect(shares.neededMs + shares.wasteMs + shares.idleMs).toBe(firstScreenMs);
    }));
  });
});

describe('why a request is where it is', () => {
  it('names gate, waits, places, stops and foresight in the order of its way', () => {
    const url = `${PAGE}in.jpg`;
    const { requests } = modelOf({
      ...LOAD,
      requests: [testRequest(0, url, 500, 300)],
      gate: [{ atMs: START_MS + 505, url, isHeld: true }, { atMs: START_MS + 525, url, isHeld: false }],
      events: [
        { type: 'named', atMs: START_MS + 390, url, by: 'document' },
        { type: 'foreseen', atMs: START_MS + 400, request: 0, url, fetchClass: FetchClass.unplaced },
        { type: 'waiting', atMs: START_MS + 400, request: 0, reason: 'order' },
        { type: 'ranked', atMs: START_MS + 450, request: 0, fetchClass: FetchClass.inView },
        { type: 'asked', atMs: START_MS + 530, request: 0, url, fetchClass: FetchClass.inView },
        { type: 'sent', atMs: START_MS + 600, request: 0, connection: 1, fetchClass: FetchClass.inView },
        { type: 'firstByte', atMs: START_MS + 650, request: 0 },
        { type: 'preempted', atMs: START_MS + 660, request: 0, bytes: 4 },
        { type: 'resumed', atMs: START_MS + 700, request: 0 },
        { type: 'end', atMs: START_MS + 790, request: 0, ending: 'whole', fetchClass: FetchClass.inView, bytes: 9 },
      ],
    });
    expect(reasonsOf(requests[0]!, START_MS)).toEqual([
      { type: 'class', objectClass: 'inView' },
      { type: 'foreseen', by: 'document', atMs: 400, aheadMs: 130 },
      { type: 'gate', lastsMs: 20 },
      { type: 'waited', reason: 'order', lastsMs: 200 },
      { type: 'ranked', fetchClass: FetchClass.inView, atMs: 450 },
      { type: 'stopped', times: 1, lastsMs: 40 },
    ]);
  });
});
