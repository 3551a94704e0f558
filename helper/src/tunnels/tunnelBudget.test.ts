import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { TunnelBudget } from './tunnelBudget.ts';

const A = 'a.test:443';
const RTT_MS = 100;
const PATIENCE_MS = 1_000;
const GRACE_MS = 30;

interface Connect {
  readonly name: string;
  readonly askedMs: number;
  readonly patienceMs: number;
  answeredMs: number | null;
  hasServerSent: boolean;
  isEstablished: boolean;
  isClosed: boolean;
}

/** A browser and its servers, and what a budget says to their CONNECTs; whatever is said twice, or to the wrong one, is a failure. */
class World {
  readonly connects: Connect[] = [];
  nowMs = 0;
  private readonly budget: TunnelBudget;

  constructor(maxHandshakes = 2) {
    this.budget = new TunnelBudget(maxHandshakes);
  }

  ask(name = A, rttMs = RTT_MS): number {
    const id = this.connects.push({ name, askedMs: this.nowMs, patienceMs: Math.max(PATIENCE_MS, 4 * rttMs), answeredMs: null, hasServerSent: false, isEstablished: false, isClosed: false }) - 1;
    this.answer(this.budget.asked(id, name, rttMs, this.nowMs));
    return id;
  }

  askMany(count: number, name = A): number[] {
    return Array.from({ length: count }, () => this.ask(name));
  }

  serverSends(id: number): void {
    const connect = this.connects[id]!;
    if (connect.answeredMs === null || connect.isClosed) return;
    connect.hasServerSent = true;
    this.budget.serverSent(id);
  }

  browserSends(id: number): void {
    const connect = this.connects[id]!;
    if (connect.answeredMs === null || connect.isClosed) return;
    connect.isEstablished ||= connect.hasServerSent;
    this.budget.browserSent(id, this.nowMs);
  }

  /** As TLS does: both sides say something, the browser first and last. */
  handshake(id: number): void {
    this.browserSends(id);
    this.serverSends(id);
    this.browserSends(id);
  }

  /** Once, or again. */
  close(id: number): void {
    this.connects[id]!.isClosed = true;
    this.answer(this.budget.closed(id, this.nowMs));
  }

  pass(ms: number): void {
    const untilMs = this.nowMs + ms;
    for (let timerMs = this.budget.nextTimerMs; timerMs !== null && timerMs <= untilMs; timerMs = this.budget.nextTimerMs) {
      expect(timerMs, 'a timer that is due has been answered').toBeGreaterThan(this.nowMs - 1);
      this.nowMs = timerMs;
      const before = this.waiting().length;
      this.answer(this.budget.advance(this.nowMs));
      expect(this.waiting().length, 'a timer that is over lets something go').toBeLessThan(before);
    }
    this.nowMs = untilMs;
  }

  waiting(name?: string): Connect[] {
    return this.connects.filter((connect) => connect.answeredMs === null && !connect.isClosed && (name === undefined || connect.name === name));
  }

  inHandshake(name: string): number {
    return this.connects.filter((connect) => connect.name === name && connect.answeredMs !== null && !connect.isClosed && !connect.isEstablished).length;
  }

  /** The ids of those that were answered. */
  get answered(): number[] {
    return [...this.connects.keys()].filter((id) => this.connects[id]!.answeredMs !== null);
  }

  private answer(ids: readonly number[]): void {
    for (const id of ids) {
      const connect = this.connects[id]!;
      expect([connect.answeredMs, connect.isClosed], 'answered once, and not when it is gone').toEqual([null, false]);
      connect.answeredMs = this.nowMs;
    }
  }
}

let world: World;
beforeEach(() => void (world = new World()));

describe('TunnelBudget', () => {
  it('answers two, and the others when one of them has its handshake and a grace', () => {
    world.askMany(4);
    expect(world.answered).toEqual([0, 1]);
    world.handshake(0);
    world.pass(GRACE_MS - 1);
    expect(world.answered).toEqual([0, 1]);
    world.pass(1);
    expect(world.answered).toEqual([0, 1, 2, 3]);
  });

  it('knows a handshake by a word of the browser after one of the server', () => {
    world.askMany(3);
    world.browserSends(0);
    world.browserSends(0);
    world.serverSends(1);
    world.pass(GRACE_MS);
    expect(world.answered).toEqual([0, 1]);
    world.browserSends(1);
    world.pass(GRACE_MS);
    expect(world.answered).toEqual([0, 1, 2]);
  });

  it('holds nothing after a handshake, and holds again when no tunnel is left', () => {
    world.ask();
    world.handshake(0);
    world.pass(GRACE_MS);
    world.askMany(3);
    expect(world.answered).toEqual([0, 1, 2, 3]);
    for (const id of [0, 1, 2, 3]) world.close(id);
    world.askMany(3);
    expect(world.answered).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('answers none of those that a browser gives up when it learns of HTTP/2, and holds again at the next visit', () => {
    world.askMany(6);
    world.handshake(0);
    world.pass(5);
    for (const id of [1, 2, 3, 4, 5]) world.close(id);
    world.pass(10_000);
    expect(world.answered).toEqual([0, 1]);
    world.close(0);
    world.askMany(3);
    expect(world.answered).toEqual([0, 1, 6, 7]);
  });

  it('never holds for a server again of whose connections a browser has used one that waited', () => {
    world.askMany(3);
    world.handshake(0);
    world.pass(GRACE_MS);
    world.handshake(2);
    for (const id of [0, 1, 2]) world.close(id);
    world.askMany(6);
    expect(world.waiting()).toEqual([]);
    expect(world.askMany(3, 'b.test:443').length, 'another server is another').toBe(3);
    expect(world.waiting()).toHaveLength(1);
  });

  it.each([
    ['patience', (world: World) => world.pass(PATIENCE_MS)],
    ['failure', (world: World) => world.close(1)],
  ])('learns nothing from one that goes by %s before the browser knows what the server speaks', (_, happens) => {
    world.askMany(3);
    happens(world);
    world.handshake(2);
    for (const id of [0, 1, 2]) world.close(id);
    world.askMany(3);
    expect(world.waiting()).toHaveLength(1);
  });

  it('lets nobody overtake one that waits', () => {
    world.askMany(3);
    world.handshake(0);
    world.close(1);
    world.ask();
    expect(world.answered).toEqual([0, 1]);
    world.pass(GRACE_MS);
    expect(world.answered).toEqual([0, 1, 2, 3]);
  });

  it.each([
    ['gives up before it uses it', (world: World, late: number) => world.close(late)],
    ['has not used yet', () => undefined],
  ])('learns nothing from one that a browser %s', (_, then) => {
    world.askMany(3);
    world.handshake(0);
    world.pass(GRACE_MS);
    then(world, 2);
    for (const id of [0, 1, 2]) world.close(id);
    world.askMany(3);
    expect(world.waiting()).toHaveLength(1);
  });

  it('lets all go that wait when one fails', () => {
    world.askMany(4);
    world.close(1);
    expect(world.answered).toEqual([0, 1, 2, 3]);
  });

  it('does not take for a failure what is given up in the grace', () => {
    world.askMany(3);
    world.handshake(0);
    world.close(1);
    expect(world.answered).toEqual([0, 1]);
    world.pass(GRACE_MS);
    expect(world.answered).toEqual([0, 1, 2]);
  });

  it.each([
    [0, PATIENCE_MS],
    [RTT_MS, PATIENCE_MS],
    [600, 2_400],
  ])('lets all go when the first two never say anything: round trip %d ms, after %d ms', (rttMs, patienceMs) => {
    for (let i = 0; i < 3; i += 1) world.ask(A, rttMs);
    world.pass(patienceMs - 1);
    const last = world.ask(A, rttMs);
    expect(world.answered).toEqual([0, 1]);
    world.pass(1);
    expect(world.answered).toEqual([0, 1, 2, last]);
    world.askMany(2);
    expect(world.waiting()).toEqual([]);
  });

  it('has no timer while nothing waits', () => {
    const budget = new TunnelBudget(2);
    for (const id of [0, 1]) budget.asked(id, A, RTT_MS, 0);
    budget.serverSent(0);
    budget.browserSent(0, 5);
    expect(budget.nextTimerMs).toBeNull();
  });

  const event = fc.oneof(
    fc.record({ type: fc.constant('ask' as const), name: fc.constantFrom(A, 'b.test:443'), rttMs: fc.constantFrom(0, 100, 400) }),
    fc.record({ type: fc.constantFrom('server' as const, 'browser' as const, 'close' as const), choice: fc.nat() }),
    fc.record({ type: fc.constant('pass' as const), ms: fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 3_000 })) }),
  );
  type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

  function happen(world: World, one: Event): void {
    if (one.type === 'ask') world.ask(one.name, one.rttMs);
    else if (one.type === 'pass') world.pass(one.ms);
    else if (world.connects.length > 0) {
      const id = one.choice % world.connects.length;
      if (one.type === 'server') world.serverSends(id);
      else if (one.type === 'browser') world.browserSends(id);
      else world.close(id);
    }
  }

  it('answers each CONNECT once or not at all when it is given up, none later than its patience, and two handshakes at most while anybody waits', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 80 }), (events) => {
        const world = new World();
        for (const one of events) {
          happen(world, one);
          for (const { name, askedMs, patienceMs } of world.waiting()) {
            expect(world.inHandshake(name)).toBeLessThanOrEqual(2);
            expect(world.nowMs - askedMs).toBeLessThan(patienceMs);
          }
        }
        world.pass(10_000);
        expect(world.waiting()).toEqual([]);
        for (const { askedMs, answeredMs, patienceMs } of world.connects) if (answeredMs !== null) expect(answeredMs - askedMs).toBeLessThanOrEqual(patienceMs);
      }),
    );
  });

  it('lets nobody wait for a server that it knows, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 80 }), (events) => {
        const world = new World();
        world.askMany(3);
        world.handshake(0);
        world.pass(GRACE_MS);
        world.handshake(2);
        for (const one of events) {
          happen(world, one);
          expect(world.waiting(A)).toEqual([]);
        }
      }),
    );
  });

  it('lets nobody wait without a budget', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 80 }), (events) => {
        const world = new World(Infinity);
        for (const one of events) {
          happen(world, one);
          expect(world.waiting()).toEqual([]);
        }
      }),
    );
  });
});
