import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admitAll } from './admission.ts';
import { FetchClass, levelOf, type FetchObject } from './fetchObject.ts';
import { FetchScheduler, type FetchCommand, type FetchScheme } from './fetchScheduler.ts';
import { fetchScheme } from './schemes.ts';

const LINK = { rateBitsPerSecond: 1_600_000, rttMs: 150, connectMs: 450 };
const SCHEMES = [false, true].flatMap((prioritizing) => [false, true].flatMap((reordering) => [false, true].map((connectionManagement) => ({ prioritizing, reordering, connectionManagement }))));
const NONE = { prioritizing: false, reordering: false, connectionManagement: false };
const [CONV, ALL] = [fetchScheme(NONE, () => LINK), fetchScheme({ prioritizing: true, reordering: true, connectionManagement: true }, () => LINK)];

const object = (id: number, properties: Partial<FetchObject> = {}): FetchObject => ({
  id,
  origin: 'http://a.test',
  fetchClass: FetchClass.inView,
  index: id,
  bytes: 1000,
  isAwaited: false,
  ...properties,
});

/** A world of servers that answers in the order of a seed: what happens between the commands of a scheduler. */
class World {
  readonly sent: { readonly object: FetchObject; readonly connection: number }[] = [];
  readonly scheduler: FetchScheduler;
  readonly unsent = new Map<number, FetchObject>();
  private readonly opening: string[] = [];
  readonly connections = new Map<number, { readonly origin: string; readonly slots: number; readonly open: Set<number> }>();
  private readonly stock = new Map<string, number>();
  private readonly slotsOf: (origin: string) => number;
  private nextConnection = 0;
  nowMs = 0;
  /** Connections in all; null for a stock browser's. */
  allowed: number | null = null;

  constructor(scheme: FetchScheme, slotsOf: (origin: string) => number = () => 1) {
    this.scheduler = new FetchScheduler(scheme);
    this.slotsOf = slotsOf;
  }

  put(each: FetchObject): void {
    this.unsent.set(each.id, each);
    this.countStock();
    this.perform(this.scheduler.put([each], this.nowMs));
  }

  /** One thing happens, chosen by `choice`. @returns false when nothing can happen any more */
  step(choice: number): boolean {
    const busy = [...this.connections].filter(([, { open }]) => open.size > 0);
    const events = this.opening.length + busy.length;
    const timerMs = this.scheduler.nextTimerMs;
    if (events === 0) {
      if (timerMs === null) return false;
      this.nowMs = timerMs;
      this.perform(this.scheduler.advance(this.nowMs));
      return true;
    }
    this.nowMs += 1;
    const place = choice % events;
    if (place < this.opening.length) this.connect(place);
    else {
      const [id] = busy[place - this.opening.length]?.[1].open ?? [];
      if (id !== undefined) this.finish(id);
    }
    return true;
  }

  finish(id: number): void {
    for (const { open } of this.connections.values()) open.delete(id);
    this.perform(this.scheduler.finished(id, this.nowMs));
  }

  connect(place = 0): void {
    const [origin] = this.opening.splice(place, 1);
    if (origin === undefined) throw new Error('nothing is being opened');
    const slots = this.slotsOf(origin);
    this.connections.set(this.nextConnection, { origin, slots, open: new Set() });
    this.perform(this.scheduler.connected(origin, this.nextConnection++, slots, this.nowMs));
  }

  /** Whether a connection is being opened. */
  opens(): boolean {
    return this.opening.length > 0;
  }

  isOpen(id: number): boolean {
    return [...this.connections.values()].some(({ open }) => open.has(id));
  }

  get connectionCount(): number {
    return this.connections.size + this.opening.length;
  }

  perform(commands: readonly FetchCommand[]): void {
    for (const command of commands) {
      if (command.type === 'open') this.opening.push(command.origin);
      else if (command.type === 'close') {
        expect(this.connections.get(command.connection)?.open.size).toBe(0);
        this.connections.delete(command.connection);
      } else this.send(command);
      expect(this.connectionCount).toBeLessThanOrEqual(this.allowed ?? [...this.stock.values()].reduce((a, b) => a + b, 0));
    }
  }

  private send({ connection: id, object: each, origin }: Extract<FetchCommand, { type: 'send' }>): void {
    const connection = this.connections.get(id);
    expect(connection?.origin).toBe(each.origin);
    expect(origin).toBe(each.origin);
    expect(connection?.open.size).toBeLessThan(connection?.slots ?? 0);
    // nothing more urgent of the same server waits, but images for room: those that are only foreseen, where one that
    // the browser waits for and that may be in view needs none, and those that are not known to be in view
    const isMultiplexed = (connection?.slots ?? 1) > 1;
    for (const other of this.unsent.values()) {
      const isGuess = other.fetchClass > FetchClass.inView || (each.fetchClass <= FetchClass.unplaced && other.fetchClass === FetchClass.inView);
      const waitsForRoom = isMultiplexed ? other.fetchClass > FetchClass.inView : each.isAwaited && !other.isAwaited && isGuess;
      if (other.origin === each.origin && !waitsForRoom) expect(levelOf(other)).toBeGreaterThanOrEqual(levelOf(each));
    }
    connection?.open.add(each.id);
    expect(this.unsent.delete(each.id)).toBe(true);
    this.sent.push({ object: each, connection: id });
  }

  /** What a stock browser may have open by now. */
  private countStock(): void {
    for (const { origin } of this.unsent.values()) this.stock.set(origin, 6);
  }
}

const script = fc.record({
  objects: fc.array(
    fc.record({ server: fc.nat(4), fetchClass: fc.constantFrom(...Object.values(FetchClass)), bytes: fc.integer({ min: 100, max: 150_000 }), stepsBefore: fc.nat(3), isAwaited: fc.boolean() }),
    { maxLength: 50 },
  ),
  choices: fc.array(fc.nat(1000), { minLength: 1, maxLength: 50 }),
});

describe.each(SCHEMES.map((parts) => [parts, fetchScheme(parts, () => LINK)] as const))('%j', (_, scheme) => {
  it('sends each object exactly once, in order of priority, on no more connections than a stock browser', () => {
    fc.assert(
      fc.property(script, ({ objects, choices }) => {
        const world = new World(scheme);
        let steps = 0;
        const step = (): boolean => world.step(choices[steps++ % choices.length] ?? 0);
        objects.forEach(({ server, fetchClass, bytes, isAwaited, stepsBefore }, id) => {
          for (let i = 0; i < stepsBefore; i += 1) step();
          world.put(object(id, { origin: `http://${server}.test`, fetchClass, bytes, isAwaited }));
        });
        while (step()) expect(steps).toBeLessThan(1000);
        expect(world.sent.map(({ object: { id } }) => id).sort((a, b) => a - b)).toEqual(objects.map((_each, id) => id));
      }),
    );
  });

  it.each([
    ['one connection where it speaks HTTP/2', 100, 1],
    ['others once it has turned out to speak HTTP/1.1', 1, 6],
  ])('a server with TLS gets %s', (_text, slots, most) => {
    const world = new World(scheme, () => slots);
    for (let id = 0; id < 20; id += 1) world.put(object(id, { origin: 'https://a.test' }));
    expect(world.connectionCount).toBe(1);
    world.connect();
    expect(world.connectionCount).toBe(most);
    while (world.step(0)) expect(world.connectionCount).toBeLessThanOrEqual(most);
    world.put(object(20, { origin: 'https://a.test' }));
    while (world.step(0)) expect(world.connectionCount).toBeLessThanOrEqual(most);
    expect(world.sent).toHaveLength(21);
  });
});

describe('CONV', () => {
  it('no connection rests while its server has work', () => {
    fc.assert(
      fc.property(script, ({ objects, choices }) => {
        const world = new World(CONV);
        objects.forEach(({ server, fetchClass, bytes }, id) => world.put(object(id, { origin: `http://${server}.test`, fetchClass, bytes })));
        for (let steps = 0; world.step(choices[steps % choices.length] ?? 0); steps += 1) {
          for (const { origin, open } of world.connections.values()) {
            if (open.size === 0) expect([...world.unsent.values()].some((each) => each.origin === origin)).toBe(false);
          }
        }
      }),
    );
  });
});

describe('ALL', () => {
  it('multiplexed servers are asked at once for all that the first screen or the browser waits for, and for the rest as the link has room', () => {
    const world = new World(ALL, () => 100);
    world.put(object(0, { bytes: 500_000 }));
    while (world.step(0));
    const classes = Object.values(FetchClass);
    const objects = Array.from({ length: 40 }, (_each, n) => object(n + 1, { fetchClass: classes[n % classes.length] ?? FetchClass.layout, bytes: 10_000, isAwaited: n % 3 === 0 }));
    for (const each of objects) world.unsent.set(each.id, each);
    world.perform(world.scheduler.put(objects, world.nowMs));
    const isNeeded = ({ fetchClass, isAwaited }: FetchObject): boolean => fetchClass <= FetchClass.inView || isAwaited;
    const needed = objects.filter(isNeeded);
    const sent = world.sent.slice(1).map(({ object: each }) => each);
    expect(sent.every(isNeeded)).toBe(true);
    expect(sent).toHaveLength(needed.length);
    // the window of guesses opens when these have come
    for (const { object: { id, fetchClass } } of [...world.sent]) if (fetchClass <= FetchClass.inView) world.finish(id);
    const others = world.sent.slice(1 + needed.length).map(({ object: { fetchClass } }) => fetchClass);
    expect(others.length).toBeGreaterThan(2);
    expect(others.every((fetchClass) => fetchClass >= FetchClass.unplaced)).toBe(true);
    while (world.step(0));
    expect(world.unsent.size).toBe(0);
  });

  it.each([
    ['http://a.test', FetchClass.unplaced, true],
    ['https://a.test', FetchClass.unplaced, false],
    ['https://a.test', FetchClass.inView, true],
  ] as const)('images that the browser asks %s for over HTTP/1.1, class %d, go beside a layout file: %s, as the gate has let them pass or not', (origin, fetchClass, areSent) => {
    const world = new World(ALL);
    world.put(object(0, { origin: 'http://b.test', fetchClass: FetchClass.layout, bytes: 40_000 }));
    world.connect();
    for (let id = 1; id <= 6; id += 1) world.put(object(id, { origin, fetchClass, bytes: 2_000, isAwaited: true }));
    while (world.opens()) world.connect();
    expect(world.sent.length === 7).toBe(areSent);
    while (world.step(0));
    expect(world.unsent.size).toBe(0);
  });

  it('more than the link and its queue hold is not asked for at once over HTTP/1.1, whatever the gate has let pass', () => {
    const world = new World(ALL);
    for (let id = 0; id < 40; id += 1) world.put(object(id, { origin: `http://${id % 8}.test`, fetchClass: FetchClass.inView, bytes: 20_000, isAwaited: true }));
    while (world.opens()) world.connect();
    expect(world.sent.length).toBeLessThan(8);
    while (world.step(0));
    expect(world.unsent.size).toBe(0);
  });

  it('what is needed finds a connection although images that may stand still keep all of them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }), fc.boolean(), (images, needed, isAwaited) => {
        const world = new World(ALL);
        world.allowed = Infinity;
        for (let id = 0; id < images; id += 1) world.put(object(id, { fetchClass: FetchClass.offScreen, isAwaited }));
        while (world.opens()) world.connect();
        // their answers have begun, and stand still
        const kept = world.sent.map(({ object: { id } }) => id);
        for (const id of kept) world.perform(world.scheduler.progress(id, 500_000, world.nowMs));
        for (let id = images; id < images + needed; id += 1) world.put(object(id, { fetchClass: FetchClass.layout, isAwaited }));
        while (world.opens()) world.connect();
        // those that stand still end no sooner than what is needed has come
        for (let left = needed; left > 0; left -= 1) {
          const one = world.sent.find(({ object: { id } }) => id >= images && world.isOpen(id));
          expect(one).toBeDefined();
          if (one) world.finish(one.object.id);
          while (world.opens()) world.connect();
        }
        expect(world.connections.size).toBeLessThanOrEqual(18);
      }),
    );
  });

  it('images that wait for credit leave streams to what is needed and found late', () => {
    const world = new World(ALL, () => 100);
    world.put(object(0));
    while (world.step(0));
    const ask = (fetchClass: FetchClass, ids: readonly number[]): void => {
      const objects = ids.map((id) => object(id, { fetchClass, bytes: 5_000, isAwaited: true }));
      for (const each of objects) world.unsent.set(each.id, each);
      world.perform(world.scheduler.put(objects, world.nowMs));
    };
    const images = Array.from({ length: 150 }, (_each, n) => n + 1);
    ask(FetchClass.unplaced, images);
    expect(world.sent).toHaveLength(1 + 32);
    const late = Array.from({ length: 60 }, (_each, n) => 200 + n);
    ask(FetchClass.layout, late);
    expect(world.sent).toHaveLength(1 + 32 + 60);
    // ranked anew while it is on the way, one is no longer among what waits
    world.perform(world.scheduler.put([object(1, { fetchClass: FetchClass.inView, bytes: 5_000, isAwaited: true })], world.nowMs));
    expect(world.sent).toHaveLength(1 + 32 + 60 + 1);
  });

  it('the link is never idle while something waits for it', () => {
    fc.assert(
      fc.property(script, ({ objects, choices }) => {
        const world = new World(ALL);
        objects.forEach(({ server, fetchClass, bytes }, id) => world.put(object(id, { origin: `http://${server}.test`, fetchClass, bytes })));
        for (let steps = 0; world.step(choices[steps % choices.length] ?? 0); steps += 1) {
          const isIdle = [...world.connections.values()].every(({ open }) => open.size === 0);
          const isCollecting = world.scheduler.nextTimerMs !== null;
          for (const { origin } of world.connections.values()) {
            if (isIdle && !isCollecting) expect([...world.unsent.values()].some((each) => each.origin === origin)).toBe(false);
          }
        }
      }),
    );
  });

  it('collects for ten milliseconds, but layout files never wait', () => {
    const world = new World(ALL);
    world.put(object(0, { fetchClass: FetchClass.layout }));
    world.put(object(1));
    world.connect();
    world.connect();
    expect(world.sent.map(({ object: { id } }) => id)).toEqual([0]);
    expect(world.scheduler.nextTimerMs).toBe(10);
    world.nowMs = 10;
    world.perform(world.scheduler.advance(10));
    expect(world.sent.map(({ object: { id } }) => id)).toEqual([0, 1]);
    expect(world.scheduler.nextTimerMs).toBeNull();
  });

  it('what is off screen waits while as much is on the way as the link needs, and goes when there is room', () => {
    const world = new World({ ...ALL, collectMs: () => 0 });
    world.put(object(0, { bytes: 100_000 }));
    world.put(object(1, { fetchClass: FetchClass.offScreen }));
    world.connect();
    world.connect();
    expect(world.sent.map(({ object: { id } }) => id)).toEqual([0]);
    world.perform(world.scheduler.progress(0, 20_000, 1));
    expect(world.sent.map(({ object: { id } }) => id)).toEqual([0, 1]);
  });

  it('over HTTP/2 only what the browser asks for does, not what is only foreseen', () => {
    const world = new World({ ...ALL, collectMs: () => 0 }, () => 100);
    world.put(object(0, { bytes: 100_000 }));
    for (const isAwaited of [false, true]) world.put(object(isAwaited ? 1 : 2, { fetchClass: FetchClass.offScreen, isAwaited }));
    world.connect();
    expect(world.sent.map(({ object: { id } }) => id)).toEqual([0, 1]);
    world.perform(world.scheduler.progress(0, 1_000, 1));
    expect(world.sent.map(({ object: { id } }) => id)).toEqual([0, 1]);
    world.finish(0);
    expect(world.sent.map(({ object: { id } }) => id)).toEqual([0, 1, 2]);
  });

  it('a server that is being connected to keeps what is foreseen waiting there, but no longer than the patience', () => {
    const scheduler = new FetchScheduler({ ...ALL, collectMs: () => 0 });
    const sent = (commands: readonly FetchCommand[]): number[] => commands.flatMap((command) => (command.type === 'send' ? [command.object.id] : []));
    scheduler.prepare('http://b.test', 1, 0);
    scheduler.put([object(1, { fetchClass: FetchClass.unplaced })], 0);
    expect(sent(scheduler.connected('http://a.test', 0, 100, 100))).toEqual([]);
    expect(scheduler.nextTimerMs).toBe(600);
    expect(sent(scheduler.advance(600))).toEqual([1]);
  });

  it.each([
    [FetchClass.inView, true],
    [FetchClass.unplaced, true],
    [FetchClass.offScreen, false],
  ])('an image (class %d) that the browser waits for goes beyond the window of what is needed, before what is foreseen in view: %s', (fetchClass, isSent) => {
    const world = new World({ ...ALL, collectMs: () => 0 });
    for (const id of [0, 1]) world.put(object(id, { fetchClass: FetchClass.layout, bytes: 100_000 }));
    world.put(object(2, { fetchClass: FetchClass.inView, bytes: 100_000 }));
    world.put(object(3, { fetchClass, bytes: 100_000, isAwaited: true }));
    for (let n = 0; n < 4; n += 1) world.connect();
    expect(world.sent.map(({ object: { id } }) => id)).toEqual(isSent ? [0, 1, 3] : [0, 1]);
    world.finish(0);
    world.finish(1);
    expect(world.sent.map(({ object: { id } }) => id).sort()).toEqual([0, 1, 2, 3]);
  });

  it('guesses leave connections of a server to what turns out to be in view', () => {
    const world = new World({ ...ALL, collectMs: () => 0 });
    for (let id = 0; id < 10; id += 1) world.put(object(id, { fetchClass: FetchClass.unplaced, bytes: 1_000 }));
    while (world.opens()) world.connect();
    expect(world.sent.map(({ object: { id } }) => id)).toEqual([0, 1, 2, 3]);
    for (const id of [10, 11]) world.put(object(id, { fetchClass: FetchClass.inView }));
    expect(world.sent.map(({ object: { id } }) => id)).toEqual([0, 1, 2, 3, 10, 11]);
    while (world.step(0));
    expect(world.unsent.size).toBe(0);
  });

  it('but does not pass layout files that wait for room', () => {
    const world = new World({ ...ALL, collectMs: () => 0 });
    for (const id of [0, 1, 2]) world.put(object(id, { fetchClass: FetchClass.layout, bytes: 100_000 }));
    world.put(object(3, { isAwaited: true }));
    for (let n = 0; n < 4; n += 1) world.connect();
    expect(world.sent.map(({ object: { id } }) => id)).toEqual([0, 1]);
    world.finish(0);
    expect(world.sent.map(({ object: { id } }) => id)).toEqual([0, 1, 2, 3]);
  });

  it('what is needed goes although what was foreseen before fills the window', () => {
    const world = new World({ ...ALL, collectMs: () => 0 });
    for (const id of [0, 1]) world.put(object(id, { fetchClass: FetchClass.unplaced, bytes: 100_000 }));
    world.connect();
    world.connect();
    world.put(object(2, { fetchClass: FetchClass.layout }));
    world.connect();
    expect(world.sent.map(({ object: { id } }) => id)).toEqual([0, 1, 2]);
  });

  it('what can wait does not take the room of a layout file whose connection is being made', () => {
    const world = new World({ ...ALL, collectMs: () => 0 });
    world.put(object(0, { origin: 'http://0.test', fetchClass: FetchClass.layout, bytes: 40_000 }));
    world.put(object(1, { origin: 'http://1.test', fetchClass: FetchClass.unplaced }));
    world.connect(1);
    expect(world.sent).toEqual([]);
    world.connect();
    expect(world.sent.map(({ object: { id } }) => id)).toEqual([0]);
  });

  it.each([
    ['goes at once where a relay keeps the order', true, [0, 1, 2]],
    ['waits where the server sends as it likes', false, [0]],
  ])('what is guessed while something is needed %s', (_text, keepsOrder, sent) => {
    const scheduler = new FetchScheduler({ ...ALL, collectMs: () => 0 });
    const origin = 'https://a.test';
    scheduler.put([object(0, { origin, fetchClass: FetchClass.layout, bytes: 100_000, isAwaited: true }), ...[1, 2].map((id) => object(id, { origin, fetchClass: FetchClass.unplaced, bytes: 100_000 }))], 0);
    const commands = scheduler.connected(origin, 0, 100, 0, keepsOrder);
    expect(commands.map((command) => command.type === 'send' && command.object.id)).toEqual(sent);
  });

  it('what the browser asks a relay for waits for no guesses of the same server', () => {
    const scheduler = new FetchScheduler({ ...ALL, collectMs: () => 0 });
    const origin = 'https://a.test';
    scheduler.put(Array.from({ length: 40 }, (_, id) => object(id, { origin, fetchClass: FetchClass.unplaced })), 0);
    expect(scheduler.connected(origin, 0, 100, 0, true)).toHaveLength(40);
    expect(scheduler.put([object(40, { origin, fetchClass: FetchClass.unplaced, isAwaited: true })], 0)).toMatchObject([{ type: 'send', object: { id: 40 } }]);
  });

  it('guesses leave half of what a relay takes at once to what is asked for', () => {
    const scheduler = new FetchScheduler({ ...ALL, collectMs: () => 0 });
    const origins = Array.from({ length: 8 }, (_, place) => `https://${place}.test`);
    const guesses = origins.flatMap((origin, place) => Array.from({ length: 30 }, (_, nth) => object(30 * place + nth, { origin, fetchClass: FetchClass.unplaced })));
    const sentBy = (commands: readonly FetchCommand[]): number => commands.filter(({ type }) => type === 'send').length;
    scheduler.put(guesses, 0);
    const sent = origins.map((origin, place) => sentBy(scheduler.connected(origin, place, 100, 0, true)));
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(128);
    const asked = [object(300, { origin: 'https://7.test', fetchClass: FetchClass.unplaced, isAwaited: true }), object(301, { origin: 'https://7.test' })];
    expect(sentBy(scheduler.put(asked, 0))).toBe(2);
    // two of all that is on the way end: one guess more, as what is asked for counts, too
    expect([0, 1].map((id) => sentBy(scheduler.finished(id, 0)))).toEqual([0, 1]);
  });

  it('and gets it when that takes too long', () => {
    const world = new World({ ...ALL, collectMs: () => 0 });
    world.put(object(0, { origin: 'http://0.test', fetchClass: FetchClass.layout, bytes: 40_000 }));
    world.put(object(1, { origin: 'http://1.test', fetchClass: FetchClass.unplaced }));
    world.connect(1);
    expect(world.scheduler.nextTimerMs).toBe(300);
    world.perform(world.scheduler.advance(300));
    expect(world.sent.map(({ object: { id } }) => id)).toEqual([1]);
  });

  it('what the browser waits for is not collected, and goes where the server was at work last', () => {
    const world = new World(ALL);
    for (let id = 0; id < 3; id += 1) world.put(object(id, { fetchClass: FetchClass.layout }));
    for (let n = 0; n < 3; n += 1) world.connect();
    for (const id of [0, 2, 1]) {
      world.nowMs += 100;
      world.finish(id);
    }
    world.put(object(3, { isAwaited: true }));
    const [, second, , again] = world.sent;
    expect(again).toMatchObject({ object: { id: 3 }, connection: second?.connection });
  });

  it('layout files go as the document has them, over all servers, a window and a half ahead', () => {
    const world = new World({ ...ALL, collectMs: () => 0 });
    for (let id = 0; id < 12; id += 1) world.put(object(id, { origin: `http://${id % 3}.test`, fetchClass: FetchClass.layout, bytes: 20_000 }));
    for (let n = 0; n < 12; n += 1) world.connect();
    const started = world.sent.length;
    expect(started).toBe(3);
    for (let id = 0; world.unsent.size > 0; id += 1) world.finish(id);
    expect(world.sent.map(({ object: { id } }) => id).slice(started)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('scripts that weigh less than was expected of them do not leave their connections idle', () => {
    const world = new World(ALL);
    const scripts = Array.from({ length: 24 }, (_each, id) => object(id, { fetchClass: FetchClass.layout, bytes: 12_000 }));
    for (const each of scripts) world.put(each);
    for (let n = 0; n < 6; n += 1) world.connect();
    // a window of 51 kB takes five of what was expected
    expect(world.sent).toHaveLength(5);
    for (let id = 0; id < 16; id += 1) {
      world.perform(world.scheduler.progress(id, 1_000, world.nowMs));
      world.finish(id);
    }
    const open = [...world.connections.values()].map((connection) => connection.open.size);
    expect(open).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('nor does one large answer keep the small scripts of its server waiting', () => {
    const world = new World(ALL);
    world.put(object(0, { fetchClass: FetchClass.layout, bytes: 12_000 }));
    world.connect();
    world.perform(world.scheduler.progress(0, 100_000_000, world.nowMs));
    world.finish(0);
    for (let id = 1; id < 25; id += 1) world.put(object(id, { fetchClass: FetchClass.layout, bytes: 12_000 }));
    while (world.connections.size < 6) world.connect();
    expect([...world.connections.values()].reduce((sum, { open }) => sum + open.size, 0)).toBe(5);
  });

  it('downloads keep nothing waiting', () => {
    const world = new World({ ...ALL, collectMs: () => 0 });
    for (let id = 0; id < 3; id += 1) world.put(object(id, { origin: `http://${id}.test`, fetchClass: FetchClass.layout, isAwaited: true }));
    for (let n = 0; n < 2; n += 1) world.connect();
    const [length, brought] = [100_000_000, 1024 * 1024];
    for (const bytesToCome of [length, length - brought + 1]) for (const id of [0, 1]) world.perform(world.scheduler.progress(id, bytesToCome, world.nowMs));
    world.connect();
    expect(world.sent).toHaveLength(2);
    world.perform(world.scheduler.progress(0, length - brought, world.nowMs));
    expect(world.sent.map(({ object: { id } }) => id)).toEqual([0, 1, 2]);
  });

  it('a server that hangs keeps nothing waiting for longer than the patience', () => {
    const world = new World({ ...ALL, collectMs: () => 0 });
    for (let id = 0; id < 3; id += 1) world.put(object(id, { fetchClass: FetchClass.layout, bytes: 100_000 }));
    for (let n = 0; n < 3; n += 1) world.connect();
    world.perform(world.scheduler.advance(300));
    expect(world.sent).toHaveLength(2);
    expect(world.scheduler.nextTimerMs).toBe(600);
    world.perform(world.scheduler.progress(0, 90_000, 300));
    world.perform(world.scheduler.advance(599));
    expect(world.sent).toHaveLength(2);
    world.perform(world.scheduler.advance(600));
    expect(world.sent).toHaveLength(3);
  });

  it('what waits can be ranked anew, what is on the way can not', () => {
    const world = new World({ ...ALL, collectMs: () => 0 });
    world.put(object(0, { bytes: 100_000 }));
    world.put(object(1, { fetchClass: FetchClass.offScreen }));
    world.put(object(2, { fetchClass: FetchClass.offScreen }));
    world.connect();
    world.connect();
    const inView = object(2);
    world.unsent.set(2, inView);
    world.perform(world.scheduler.put([inView], 1));
    world.perform(world.scheduler.put([object(0, { fetchClass: FetchClass.offScreen })], 1));
    expect(world.sent.map(({ object: { id } }) => id)).toEqual([0, 2]);
  });

  it('a dry connection takes unsent work of the busiest', () => {
    const world = new World({ ...ALL, collectMs: () => 0, admission: admitAll });
    for (let id = 0; id < 12; id += 1) world.put(object(id, { bytes: id < 2 ? 100_000 : 1000 }));
    for (let n = 0; n < 6; n += 1) world.connect();
    const large = new Set(world.sent.filter(({ object: { bytes } }) => bytes > 1000).map(({ connection }) => connection));
    // the connections with small objects finish them all, while the large ones are still coming
    for (let progressed = true; progressed; ) {
      progressed = false;
      for (const { object: each } of [...world.sent]) {
        if (each.bytes === 1000 && [...world.connections.values()].some(({ open }) => open.has(each.id))) {
          world.finish(each.id);
          progressed = true;
        }
      }
    }
    expect(world.unsent.size).toBe(0);
    expect(large.size).toBeGreaterThan(0);
  });
});

describe('CM takes a connection from another server', () => {
  /** One server has its six connections and nothing to do, the other wants more than its six. */
  function restingWorld(): World {
    const world = new World({ ...ALL, collectMs: () => 0, admission: admitAll });
    for (let id = 0; id < 6; id += 1) world.put(object(id, { origin: 'http://rests.test' }));
    for (let n = 0; n < 6; n += 1) world.connect();
    for (let id = 0; id < 6; id += 1) world.finish(id);
    for (let id = 6; id < 30; id += 1) world.put(object(id, { origin: 'http://busy.test', bytes: 20_000 }));
    for (let n = 0; n < 6; n += 1) world.connect();
    return world;
  }
  const connectionsTo = (world: World, origin: string): number => [...world.connections.values()].filter((each) => each.origin === origin).length;

  it('that has rested for a while, the one that has rested longest', () => {
    const world = restingWorld();
    expect([connectionsTo(world, 'http://rests.test'), connectionsTo(world, 'http://busy.test')]).toEqual([6, 6]);
    world.nowMs = 1199;
    world.finish(6);
    expect(connectionsTo(world, 'http://rests.test')).toBe(6);
    world.nowMs = 1200;
    world.finish(7);
    expect(connectionsTo(world, 'http://rests.test')).toBe(1);
  });

  it('at once where it was borrowed', () => {
    const world = new World({ ...ALL, collectMs: () => 0, admission: admitAll });
    for (let id = 0; id < 30; id += 1) world.put(object(id, { origin: 'http://busy.test', bytes: 20_000, fetchClass: FetchClass.offScreen }));
    for (let id = 30; id < 36; id += 1) world.put(object(id, { origin: 'http://late.test', fetchClass: FetchClass.offScreen }));
    while (world.connectionCount > world.connections.size) world.connect();
    expect([connectionsTo(world, 'http://busy.test'), connectionsTo(world, 'http://late.test')]).toEqual([11, 1]);
    // what is sent meanwhile comes behind
    for (const { object: { id } } of world.sent) world.finish(id);
    for (let id = 36; id < 42; id += 1) world.put(object(id, { origin: 'http://late.test' }));
    while (world.connectionCount > world.connections.size) world.connect();
    expect(connectionsTo(world, 'http://late.test')).toBe(6);
  });

  it('but not the only one that is there, while something waits for it', () => {
    const world = new World({ ...ALL, collectMs: () => 0 }, () => 100);
    for (let id = 0; id < 4; id += 1) world.put(object(id, { fetchClass: FetchClass.layout }));
    for (let id = 4; id < 16; id += 1) world.put(object(id, { origin: 'http://b.test', fetchClass: FetchClass.unplaced }));
    for (let id = 16; id < 20; id += 1) world.put(object(id, { origin: 'http://c.test', fetchClass: FetchClass.layout }));
    // the first of several to a server that turns out to need one
    world.connect();
    expect(world.sent.map(({ object: { id } }) => id)).toEqual([0, 1, 2, 3]);
  });

  it('at once for a server that has none', () => {
    const world = restingWorld();
    world.nowMs = 1200;
    world.finish(6);
    while (world.connectionCount > connectionsTo(world, 'http://rests.test') + connectionsTo(world, 'http://busy.test')) world.connect();
    for (let id = 7; id < 30; id += 1) world.finish(id);
    world.put(object(30, { origin: 'http://third.test' }));
    world.connect();
    expect(connectionsTo(world, 'http://third.test')).toBe(1);
  });

  it('or is made beside all that are at work, for a server that has none', () => {
    const world = new World({ ...ALL, collectMs: () => 0, admission: admitAll });
    for (const id of [0, 1]) world.put(object(id, { origin: `http://rests-${id}.test` }));
    for (let id = 2; id < 30; id += 1) world.put(object(id, { origin: 'http://busy.test', bytes: 20_000 }));
    while (world.opens()) world.connect();
    expect(connectionsTo(world, 'http://busy.test')).toBe(12);
    for (const id of [0, 1]) world.finish(id);
    for (const [id, { origin }] of [...world.connections]) {
      if (origin === 'http://busy.test') continue;
      world.connections.delete(id);
      world.perform(world.scheduler.disconnected(origin, id, world.nowMs));
    }
    world.put(object(30, { origin: 'http://third.test' }));
    expect(world.opens()).toBe(true);
  });
});

describe('prepared connections', () => {
  it('are opened without anything to send, once, and used for what comes', () => {
    const scheduler = new FetchScheduler(CONV);
    const open = { type: 'open', origin: 'http://a.test' };
    expect(scheduler.prepare('http://a.test', 2, 0)).toEqual([open, open]);
    expect(scheduler.prepare('http://a.test', 2, 0)).toEqual([]);
    expect(scheduler.connected('http://a.test', 1, 1, 1)).toEqual([]);
    expect(scheduler.put([object(0)], 2)).toMatchObject([{ type: 'send', connection: 1 }]);
    expect(scheduler.connected('http://a.test', 2, 1, 3)).toEqual([]);
    expect(scheduler.put([object(1)], 4)).toMatchObject([{ type: 'send', connection: 2 }]);
  });

  it.each([
    ['as many as that', 2, 1],
    ['one that carries all', 1, 100],
  ])('where there is %s, are not made when it closes', (_, count, slots) => {
    const scheduler = new FetchScheduler(CONV);
    const connections = Array.from({ length: count }, (__, id) => id);
    scheduler.prepare('http://a.test', count, 0);
    for (const id of connections) scheduler.connected('http://a.test', id, slots, 0);
    scheduler.prepare('http://a.test', 2, 1);
    expect(connections.flatMap((id) => scheduler.disconnected('http://a.test', id, 2))).toEqual([]);
  });

  it('are not made again where their server ends them as soon as they are there', () => {
    const scheduler = new FetchScheduler(CONV);
    scheduler.prepare('http://a.test', 2, 0);
    expect([1, 2].flatMap((id) => [...scheduler.connected('http://a.test', id, 1, id), ...scheduler.disconnected('http://a.test', id, id)])).toEqual([]);
  });

  it('that can not be made are forgotten', () => {
    const scheduler = new FetchScheduler(CONV);
    scheduler.prepare('http://a.test', 2, 0);
    expect(scheduler.connectFailed('http://a.test', 1).commands).toEqual([]);
    expect(scheduler.connectFailed('http://a.test', 2).commands).toEqual([]);
    expect(scheduler.nextTimerMs).toBeNull();
  });
});

describe('what may not be made twice', () => {
  const [OPEN, CLOSE] = [{ type: 'open', origin: 'http://a.test' }, { type: 'close', origin: 'http://a.test' }];
  const sent = (connection: number): object => ({ type: 'send', connection });
  const RESTED_MS = 4_000;
  /** Two connections, the first at rest since 0, the other since this time. */
  const resting = (otherMs: number, slots = 1): FetchScheduler => {
    const scheduler = new FetchScheduler(CONV);
    for (const id of [0, 1]) scheduler.put([object(id)], 0);
    for (const id of [0, 1]) scheduler.connected('http://a.test', id, slots, 0);
    for (const id of [0, 1]) scheduler.finished(id, id * otherMs);
    return scheduler;
  };

  it.each<[string, number, number, boolean, readonly object[]]>([
    ['goes on a new connection where those that are free may be closing at their server', 0, 1, true, [{ ...CLOSE, connection: 0 }, { ...CLOSE, connection: 1 }, OPEN]],
    ['goes on one that was at work lately, and those that have rested stay', 1, 1, true, [sent(1)]],
    ['goes on what there is over HTTP/2', 0, 100, true, [sent(0)]],
    ['is all that needs one: what may be made twice goes on what there is', 0, 1, false, [sent(0)]],
  ])('%s', (_, otherMs, slots, isOnce, commands) => {
    expect(resting(otherMs, slots).put([object(2, { isOnce })], RESTED_MS)).toMatchObject(commands);
  });

  it('closes nothing more when it is ranked anew', () => {
    const scheduler = resting(1);
    scheduler.put([object(2, { isOnce: true })], RESTED_MS);
    expect(scheduler.put([object(2, { isOnce: true })], 2 * RESTED_MS)).toEqual([]);
  });
});

describe('faults of connections', () => {
  it('a connection is made beside those that are of no use, and takes what was on them', () => {
    const scheduler = new FetchScheduler(ALL);
    scheduler.put([object(1)], 0);
    scheduler.connected('http://a.test', 1, 100, 0);
    expect(scheduler.openBeside('http://a.test')).toEqual([{ type: 'open', origin: 'http://a.test' }]);
    scheduler.disconnected('http://a.test', 1, 1);
    // the one that is being made is enough
    expect(scheduler.put([object(1)], 1)).toEqual([]);
    expect(scheduler.connected('http://a.test', 2, 100, 2).map(({ type }) => type)).toEqual(['send']);
  });

  it('what was on the way on a lost connection is forgotten, and asked for again it gets another one', () => {
    const scheduler = new FetchScheduler(CONV);
    expect(scheduler.put([object(0)], 0)).toEqual([{ type: 'open', origin: 'http://a.test' }]);
    expect(scheduler.connected('http://a.test', 7, 1, 0)).toMatchObject([{ type: 'send', connection: 7 }]);
    expect(scheduler.disconnected('http://a.test', 7, 1)).toEqual([]);
    expect(scheduler.put([object(0)], 2)).toEqual([{ type: 'open', origin: 'http://a.test' }]);
  });

  it('a server that can not be reached gives its objects back', () => {
    const scheduler = new FetchScheduler(CONV);
    scheduler.put([object(0)], 0);
    const { unreachable, commands } = scheduler.connectFailed('http://a.test', 1);
    expect(unreachable.map(({ id }) => id)).toEqual([0]);
    expect(commands).toEqual([]);
  });

  it('a server that refuses one more connection is not asked again until it has served what it has', () => {
    const scheduler = new FetchScheduler(CONV);
    scheduler.put([object(0)], 0);
    scheduler.put([object(1)], 0);
    scheduler.connected('http://a.test', 1, 1, 0);
    expect(scheduler.connectFailed('http://a.test', 1)).toEqual({ commands: [], unreachable: [] });
    expect(scheduler.finished(0, 2)).toMatchObject([{ type: 'send', connection: 1, object: { id: 1 } }]);
    expect(scheduler.finished(1, 3)).toEqual([]);
    scheduler.put([object(2)], 4);
    expect(scheduler.put([object(3)], 4)).toEqual([{ type: 'open', origin: 'http://a.test' }]);
  });
});

describe('why an object waits', () => {
  const foreseenImage = { fetchClass: FetchClass.unplaced };

  it('is its connection, then that it is collected, then that its server has no room', () => {
    const scheduler = new FetchScheduler(ALL);
    scheduler.put([object(0, foreseenImage), object(1, foreseenImage)], 0);
    expect([0, 1].map((id) => scheduler.reasonToWait(id))).toEqual(['connection', 'connection']);
    scheduler.connected('http://a.test', 0, 1, 1);
    expect(scheduler.reasonToWait(1)).toBe('collecting');
    scheduler.advance(1_000);
    expect([scheduler.reasonToWait(0), scheduler.reasonToWait(1)]).toEqual([null, 'slot']);
  });

  it('is what is more urgent, where a connection has room', () => {
    const scheduler = new FetchScheduler(ALL);
    scheduler.put([object(0, { bytes: 1_000_000 }), object(1, { ...foreseenImage, bytes: 100_000 })], 0);
    for (const connection of [0, 1]) scheduler.connected('http://a.test', connection, 1, 1);
    scheduler.advance(20);
    expect(scheduler.reasonToWait(0)).toBeNull();
    expect(scheduler.reasonToWait(1)).toBe('order');
  });

  it('is nothing for what is not known', () => {
    expect(new FetchScheduler(ALL).reasonToWait(7)).toBeNull();
  });
});
