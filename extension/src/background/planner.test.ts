import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PageSnapshot } from '../../../shared/src/page/objects.ts';
import { MAX_PLAN_OBJECTS, type ExtensionMessage } from '../../../shared/src/protocol/native.ts';
import { planPrioritizedFetching, type Plan } from '../../../shared/src/scheduling/plan.ts';
import { HelperLink } from './helperLink.ts';
import { Planner } from './planner.ts';

const SNAPSHOT = snapshotOf(3);
const LOCAL_PLAN = planPrioritizedFetching(SNAPSHOT);
/** Not what is planned here, so it can be told apart. */
const HELPERS_PLAN = LOCAL_PLAN.toReversed();

function snapshotOf(count: number): PageSnapshot {
  return { view: null, objects: Array.from({ length: count }, (_, id) => ({ id, url: `https://a.example/${id}`, index: id, placement: { state: 'unplaced' } })) };
}

type Answer = { type: string; payload: unknown } | null;

function planned(plan: Plan): Answer {
  return { type: 'planned', payload: { document: 'd', plan } };
}

/** The browser's port to a helper: welcomes, and answers plan requests with `answer`; null is silence. */
class FakeHelper {
  asked: ExtensionMessage[] = [];
  connections = 0;
  answer: Answer = null;
  welcome: Answer = { type: 'welcome', payload: { protocol: 1, helperVersion: '1', capabilities: [] } };
  private receive: (message: unknown) => void = () => undefined;
  disconnect: () => void = () => undefined;

  install(): void {
    const port = {
      onMessage: { addListener: (listener: FakeHelper['receive']) => (this.receive = listener) },
      onDisconnect: { addListener: (listener: FakeHelper['disconnect']) => (this.disconnect = listener) },
      postMessage: (message: ExtensionMessage) => {
        this.asked.push(message);
        const answer = message.type === 'hello' ? this.welcome : this.answer;
        if (answer !== null) queueMicrotask(() => this.receive({ v: 1, id: message.id, ...answer }));
      },
      disconnect: () => undefined,
    };
    const connectNative = (): typeof port => {
      this.connections += 1;
      return port;
    };
    vi.stubGlobal('chrome', { runtime: { connectNative, getManifest: () => ({ version: '1' }) } });
  }
}

describe('Planner', () => {
  let helper: FakeHelper;
  let link: HelperLink;
  let planner: Planner;

  beforeEach(async () => {
    vi.useFakeTimers();
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    vi.spyOn(console, 'info').mockImplementation(() => undefined);
    helper = new FakeHelper();
    helper.install();
    link = new HelperLink({ changed: () => undefined, leave: () => Promise.resolve(false), foreseen: () => undefined, roundTrip: () => undefined });
    planner = new Planner(link);
    link.connect();
    await vi.advanceTimersByTimeAsync(0);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  async function planAfter(ms: number, snapshot = SNAPSHOT): Promise<Plan | undefined> {
    let plan: Plan | undefined;
    void planner.plan('d', snapshot).then((made) => (plan = made));
    await vi.advanceTimersByTimeAsync(ms);
    return plan;
  }

  it('plans here while no helper was asked for', async () => {
    link = new HelperLink({ changed: () => undefined, leave: () => Promise.resolve(false), foreseen: () => undefined, roundTrip: () => undefined });
    planner = new Planner(link);
    expect([link.state, await planAfter(0)]).toEqual(['absent', LOCAL_PLAN]);
  });

  it('takes the plan of the helper', async () => {
    helper.answer = planned(HELPERS_PLAN);
    expect([link.state, await planAfter(0)]).toEqual(['connected', HELPERS_PLAN]);
    expect(helper.asked.at(-1)).toMatchObject({ type: 'plan', payload: { document: 'd', ...SNAPSHOT } });
  });

  it.each<[string, Answer]>([
    ['omits an object', planned(HELPERS_PLAN.slice(1))],
    ['invents an object', planned([...HELPERS_PLAN, { id: 99, rankClass: 0 }])],
    ['has another object in the place of one', planned([...HELPERS_PLAN.slice(1), { id: 99, rankClass: 0 }])],
    ['names an object twice', planned([...HELPERS_PLAN, ...HELPERS_PLAN.slice(0, 1)])],
    ['names an object twice and omits another', planned([...HELPERS_PLAN.slice(1), ...HELPERS_PLAN.slice(1, 2)])],
    ['is no plan', { type: 'pong', payload: {} }],
    ['is an error', { type: 'error', payload: { code: 'E_INTERNAL', message: 'm', next: 'n' } }],
    ['breaks the protocol', { type: 'planned', payload: 'nonsense' }],
  ])('plans here when the answer of the helper %s', async (_fault, answer) => {
    helper.answer = answer;
    expect(await planAfter(0)).toEqual(LOCAL_PLAN);
  });

  it('waits 50 ms for the helper, then plans here', async () => {
    expect(await planAfter(49)).toBeUndefined();
    expect(await planAfter(50)).toEqual(LOCAL_PLAN);
  });

  it('plans here what is too much for one message, without asking', async () => {
    const most = snapshotOf(MAX_PLAN_OBJECTS);
    helper.answer = planned(planPrioritizedFetching(most).toReversed());
    expect((await planAfter(0, most))?.[0]?.id).toBe(MAX_PLAN_OBJECTS - 1);
    helper.asked = [];
    expect((await planAfter(0, snapshotOf(MAX_PLAN_OBJECTS + 1)))?.[0]?.id).toBe(0);
    expect(helper.asked).toEqual([]);
  });

  it('plans here at once when the helper goes while it is asked', async () => {
    const plan = planAfter(0);
    helper.disconnect();
    expect([await plan, link.state]).toEqual([LOCAL_PLAN, 'absent']);
  });

  it('leaves a lost helper alone for 10 s, then twice as long, and starts anew once it answered', async () => {
    helper.welcome = null;
    helper.disconnect();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(helper.connections).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(helper.connections).toBe(2);
    helper.disconnect();
    await vi.advanceTimersByTimeAsync(19_999);
    expect(helper.connections).toBe(2);
    helper.welcome = { type: 'welcome', payload: { protocol: 1, helperVersion: '1', capabilities: [] } };
    await vi.advanceTimersByTimeAsync(1);
    expect([helper.connections, link.state]).toEqual([3, 'connected']);
    helper.disconnect();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(helper.connections).toBe(4);
  });
});
