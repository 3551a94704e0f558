import fc from 'fast-check';
import { parse } from 'valibot';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../shared/src/statistics/random.ts';
import type { FirstScreenTiming } from '../../../../shared/src/protocol/firstScreenTimingSchema.ts';
import { END_REASONS, type Measurement, type Side } from '../../messages/measuring.ts';
import { advance, begin, sideOf, type MeasuringCommand, type MeasuringEvent } from './measurement.ts';
import { MeasurementSchema } from './measurementSchema.ts';
import { planLoads } from './plan.ts';

const URL = 'https://a.test/';
const TAB = 7;
const SEEN: FirstScreenTiming = { outcome: 'measured', isrtMs: 1_000, fcpMs: 500, lcpMs: 900, needed: [] };
const VOID: FirstScreenTiming = { outcome: 'void', reason: 'hidden' };

/** A measurement and the browser around it, as far as it obeys. */
class Run {
  state: Measurement;
  nowMs = 0;
  /** What is in force; null for the user's own settings. */
  inForce: Side | null = null;
  /** Loads that were begun, each with what was in force. */
  readonly begun: (Side | null)[] = [];
  closed = 0;
  /** Loads that were to begin without connections. */
  cold = 0;

  constructor(pairs = 2, asks = false, isCold = false) {
    const { state, commands } = begin(`${URL}#top`, planLoads(pairs, seededRandom(1)), { pairs, visit: 'first', isCold }, asks, this.nowMs);
    this.state = state;
    this.obey(commands);
  }

  on(event: MeasuringEvent, afterMs = 100): this {
    this.nowMs += afterMs;
    const { state, commands } = advance(this.state, event, this.nowMs);
    this.state = state;
    this.obey(commands);
    return this;
  }

  /** As it goes when nothing comes in between, until the load under way is answered. */
  load(timing: FirstScreenTiming = SEEN, details: object = {}): this {
    if (this.state.phase.name === 'opening') this.on({ type: 'applied', isInForce: true }).on({ type: 'opened', tabId: TAB });
    this.on({ type: 'applied', isInForce: true }).on({ type: 'rested' });
    return this.on({ type: 'measured', load: this.state.load, url: URL, timing, bytes: 5_000, carried: { neededBytes: 4_000, otherBytes: 1_000 }, hadOtherTraffic: false, ...details });
  }

  private obey(commands: readonly MeasuringCommand[]): void {
    for (const command of commands) {
      if (command.type === 'apply') this.inForce = sideOf(this.state);
      else if (command.type === 'load') {
        this.begun.push(this.inForce);
        if (command.isCold) this.cold += 1;
      }
      else if (command.type === 'close') this.closed += 1;
    }
  }
}

describe('a measurement', () => {
  it('loads the page side by side, each under its side, and ends with the settings of the user', () => {
    const run = new Run();
    for (let load = 0; load < 5; load += 1) run.load();
    expect(run.state.phase).toEqual({ name: 'ended', why: 'complete' });
    expect(run.begun).toEqual(run.state.plan.map(({ side }) => side));
    expect(run.state.counted.map(({ pair, side }) => ({ pair, side }))).toEqual(run.state.plan.slice(1));
    expect(run.state.dropped).toEqual([{ pair: 0, side: 'with', load: 1, reason: 'first' }]);
    expect([run.inForce, run.closed]).toEqual([null, 1]);
  });

  it('tries a load once more that counts for nothing, and leaves out the rest of a pair that can not count', () => {
    const run = new Run().load().load(VOID).load(VOID);
    expect(run.state.dropped.map(({ pair, reason }) => [pair, reason])).toEqual([[0, 'first'], [1, 'hidden'], [1, 'hidden']]);
    run.load();
    expect(run.state.counted).toMatchObject([{ pair: 2, load: 4 }]);
  });

  it.each<[string, object, string]>([
    ['another tab has used the network', { hadOtherTraffic: true }, 'otherTraffic'],
    ['the page led elsewhere', { url: 'https://login.test/' }, 'redirected'],
    ['its page says why', { timing: VOID }, 'hidden'],
  ])('drops a load when %s', (_, details, reason) => {
    expect(new Run().load().load(SEEN, details).state.dropped.at(-1)).toMatchObject({ reason });
  });

  it.each([true, false])('begins every load without connections, or none (%s)', (isCold) => {
    const run = new Run(2, false, isCold);
    for (let load = 0; load < 5; load += 1) run.load();
    expect(run.cold).toBe(isCold ? 5 : 0);
  });

  it.each(['failed', 'warm'] as const)('drops a load that could not be begun as it was to be: %s', (reason) => {
    const run = new Run().load().on({ type: 'applied', isInForce: true }).on({ type: 'rested' }).on({ type: 'failed', reason });
    expect(run.state.dropped.at(-1)).toMatchObject({ load: 2, reason });
  });

  it.each<[string, (run: Run) => Run, string]>([
    ['the user cancels', (run) => run.on({ type: 'ends', why: 'cancelled' }), 'cancelled'],
    ['four loads in a row count for nothing', (run) => run.load(VOID).load(VOID).load(VOID).load(VOID), 'unmeasurable'],
    ['the network never rests', (run) => run.on({ type: 'applied', isInForce: true }).on({ type: 'ticked', isSeen: true }, 130_000), 'noRest'],
    ['an hour is over', (run) => run.on({ type: 'ticked', isSeen: true }, 3_700_000), 'timeLimit'],
  ])('ends when %s', (_, happens, why) => {
    const run = happens(new Run().load());
    expect(run.state.phase).toEqual({ name: 'ended', why });
    expect(run.inForce).toBeNull();
  });

  it.each<[string, MeasuringEvent, number]>([
    ['Firstscreen can not be switched', { type: 'applied', isInForce: false }, 0],
    ['its tab does not open', { type: 'ticked', isSeen: true }, 31_000],
    ['the background script ends meanwhile', { type: 'restarted' }, 0],
  ])('says that nothing was loaded when %s', (_, event, afterMs) => {
    expect(new Run().on(event, afterMs).state).toMatchObject({ phase: { name: 'ended', why: 'notBegun' }, dropped: [] });
  });

  it('waits as long as nobody sees its tab', () => {
    const run = new Run().load().on({ type: 'applied', isInForce: true });
    for (let minute = 0; minute < 10; minute += 1) run.on({ type: 'ticked', isSeen: false }, 60_000).on({ type: 'rested' });
    expect(run.state.phase.name).toBe('resting');
    run.on({ type: 'ticked', isSeen: true }).on({ type: 'rested' });
    expect([run.state.phase.name, run.state.waitedMs]).toEqual(['loading', expect.closeTo(600_000, -4) as number]);
  });

  it('asks after its first load where bytes cost, with the settings of the user in force', () => {
    const run = new Run(2, true).load();
    expect([run.state.phase.name, run.state.bytesPerLoad, run.inForce]).toEqual(['asking', 5_000, null]);
    run.on({ type: 'allowed' }, 60_000);
    expect(run.state.waitedMs).toBe(60_000);
    for (let load = 0; load < 4; load += 1) run.load();
    expect(run.state.phase).toEqual({ name: 'ended', why: 'complete' });
  });

  it('goes on after the background script has ended in its middle: what was under way counts for nothing', () => {
    const run = new Run().load().on({ type: 'applied', isInForce: true }).on({ type: 'rested' });
    run.state = parse(MeasurementSchema, JSON.parse(JSON.stringify(run.state)));
    run.on({ type: 'restarted' });
    expect(run.state.dropped.at(-1)).toMatchObject({ load: 2, reason: 'scriptEnded' });
    for (let load = 0; load < 4; load += 1) run.load();
    expect(run.state.phase).toEqual({ name: 'ended', why: 'complete' });
  });
});

describe('whatever happens', () => {
  const event: fc.Arbitrary<(run: Run) => MeasuringEvent> = fc.oneof(
    { weight: 6, arbitrary: fc.boolean().map((isInForce) => () => ({ type: 'applied' as const, isInForce })) },
    { weight: 6, arbitrary: fc.constant(() => ({ type: 'applied' as const, isInForce: true })) },
    { weight: 6, arbitrary: fc.constant(() => ({ type: 'opened' as const, tabId: TAB })) },
    { weight: 12, arbitrary: fc.constant(() => ({ type: 'rested' as const })) },
    { weight: 12, arbitrary: fc.record({ before: fc.nat(2), timing: fc.constantFrom(SEEN, SEEN, SEEN, VOID), url: fc.constantFrom(URL, URL, 'https://b.test/'), hadOtherTraffic: fc.constantFrom(false, false, true) }).map(({ before, ...told }) => (run: Run) => ({ type: 'measured' as const, load: run.state.load - before, bytes: 9, carried: { neededBytes: 0, otherBytes: 0 }, ...told })) },
    { weight: 2, arbitrary: fc.constantFrom('failed' as const, 'warm' as const).map((reason) => () => ({ type: 'failed' as const, reason })) },
    { weight: 3, arbitrary: fc.boolean().map((isSeen) => () => ({ type: 'ticked' as const, isSeen })) },
    { weight: 2, arbitrary: fc.constant(() => ({ type: 'allowed' as const })) },
    { weight: 2, arbitrary: fc.constant(() => ({ type: 'restarted' as const })) },
    { weight: 1, arbitrary: fc.constantFrom(...END_REASONS).map((why) => () => ({ type: 'ends' as const, why })) },
  );
  const happening = fc.tuple(event, fc.constantFrom(10, 1_000, 40_000, 200_000));

  it('there is one load at a time, each under its own side, counted once or dropped with a reason; at the end all is as it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.boolean(), fc.array(happening, { maxLength: 120 }), (pairs, asks, happenings) => {
        const run = new Run(pairs, asks);
        for (const [make, afterMs] of happenings) {
          const before = run.state;
          const begunBefore = run.begun.length;
          run.on(make(run), afterMs);
          const { state } = run;
          // what is in force is what the state wants
          expect(run.inForce).toBe(sideOf(state));
          expect(run.begun.length - begunBefore).toBeLessThanOrEqual(1);
          if (run.begun.length > begunBefore) {
            expect(before.phase.name).toBe('resting');
            expect(state.phase.name === 'loading' && run.begun.at(-1)).toBe(state.phase.name === 'loading' && state.plan[state.phase.place]!.side);
          }
          const numbers = [...state.counted, ...state.dropped].map(({ load }) => load).toSorted((a, b) => a - b);
          const done = Array.from({ length: state.phase.name === 'loading' ? state.load - 1 : state.load }, (_, place) => place + 1);
          expect(numbers).toEqual(done);
          const sides = state.counted.map(({ pair, side }) => `${pair} ${side}`);
          expect(new Set(sides).size).toBe(sides.length);
          expect(state.counted.every(({ pair }) => pair > 0)).toBe(true);
          expect(parse(MeasurementSchema, JSON.parse(JSON.stringify(state)))).toEqual(state);
        }
        run.on({ type: 'ends', why: 'cancelled' });
        expect([run.state.phase.name, run.inForce]).toEqual(['ended', null]);
        const ended = run.state;
        run.on({ type: 'rested' }).on({ type: 'applied', isInForce: true });
        expect(run.state).toEqual(ended);
      }),
      { numRuns: 500 },
    );
  });

  it('it comes to its end by itself', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        const run = new Run(3);
        for (const [make, afterMs] of happenings) run.on(make(run), afterMs);
        run.on({ type: 'ticked', isSeen: true }, 3_700_000);
        expect(run.state.phase.name).toBe('ended');
      }),
    );
  });
});
