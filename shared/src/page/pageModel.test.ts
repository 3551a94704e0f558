import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ObjectSizes } from '../estimation/objectSizes.ts';
import { planPrioritizedFetching, type Plan } from '../scheduling/plan.ts';
import type { LinkLoad } from '../scheduling/releaseWindow.ts';
import type { Rect } from './geometry.ts';
import type { Placement } from './objects.ts';
import { PageModel, type Release } from './pageModel.ts';

const A = 'https://a.example/a.png';
const B = 'https://a.example/b.png';
const C = 'https://b.example/c.png';
const VIEW: Rect = { x: 0, y: 0, width: 1000, height: 500 };
const IN_VIEW: Placement = { state: 'placed', rect: { x: 0, y: 0, width: 100, height: 100 } };
const OFF_SCREEN: Placement = { state: 'placed', rect: { x: 0, y: 5000, width: 100, height: 100 } };
const IDLE: LinkLoad = { bytesToCome: 0, connectingBytes: 0, isUrgent: false, bdpBytes: 1_000_000, openTo: () => 0, isConnecting: () => false, plainOriginLimit: () => 8, releasesAreAlike: true };
const BUSY: LinkLoad = { ...IDLE, bytesToCome: 10_000_000 };

function modelHolding(...urls: string[]): PageModel {
  const model = new PageModel(new ObjectSizes());
  for (const [index, url] of urls.entries()) model.hold(url, index);
  return model;
}

function planOf(model: PageModel): Plan {
  return planPrioritizedFetching(model.snapshot());
}

function urlsOf(releases: readonly Release[]): string[] {
  return releases.map(({ url }) => url);
}

describe('hold', () => {
  it('takes an object once, in whatever state it is', () => {
    const model = modelHolding(A);
    expect(model.hold(A, 1)).toBe(false);
    model.releaseAll();
    expect(model.hold(A, 2)).toBe(false);
    model.ended(A);
    expect(model.hold(A, 3)).toBe(false);
    expect(model.heldUrls()).toEqual([]);
    expect(model.hold(B, 4)).toBe(true);
  });

  it('counts and names what is held, and no more once it is released', () => {
    const model = modelHolding(A, B, C);
    model.layout({ view: VIEW, objects: [{ url: B, placement: IN_VIEW }] });
    expect([model.heldCount, model.heldUrls()]).toEqual([3, [A, B, C]]);
    model.release(planOf(model), BUSY);
    expect([model.heldCount, model.heldUrls()]).toEqual([2, [A, C]]);
  });
});

describe('snapshot', () => {
  it('has the held objects alone, with the order of their requests', () => {
    const model = new PageModel(new ObjectSizes());
    model.hold(B, 7);
    model.hold(A, 2);
    model.layout({ view: VIEW, objects: [{ url: B, placement: IN_VIEW }] });
    const { view, objects } = model.snapshot();
    expect(view).toEqual(VIEW);
    expect(objects.map(({ url, index, placement }) => ({ url, index, placement }))).toEqual([
      { url: B, index: 7, placement: IN_VIEW },
      { url: A, index: 2, placement: { state: 'unplaced' } },
    ]);
    model.release(planOf(model), BUSY);
    expect(model.snapshot().objects.map(({ url }) => url)).toEqual([A]);
  });
});

describe('layout', () => {
  it('keeps its view for objects that are held later, and forgets places of objects that are not known', () => {
    const model = new PageModel(new ObjectSizes());
    model.layout({ view: VIEW, objects: [{ url: A, placement: IN_VIEW }] });
    model.hold(A, 0);
    expect(model.isInView(A)).toBe(false);
    model.layout({ view: VIEW, objects: [{ url: A, placement: IN_VIEW }] });
    expect(model.isInView(A)).toBe(true);
  });

  it('leaves an object that it does not name where it was', () => {
    const model = modelHolding(A, B);
    model.layout({ view: VIEW, objects: [{ url: A, placement: IN_VIEW }] });
    model.layout({ view: VIEW, objects: [{ url: B, placement: OFF_SCREEN }] });
    expect([model.isInView(A), model.isInView(B)]).toEqual([true, false]);
  });

  it('trusts no position without a view', () => {
    const model = modelHolding(A);
    model.layout({ view: null, objects: [{ url: A, placement: IN_VIEW }] });
    expect(model.isInView(A)).toBe(false);
  });
});

describe('isInView', () => {
  it('follows the layout while an object is held, on the way and arrived', () => {
    const model = modelHolding(A);
    const follows = (): boolean[] =>
      [IN_VIEW, OFF_SCREEN].map((placement) => {
        model.layout({ view: VIEW, objects: [{ url: A, placement }] });
        return model.isInView(A);
      });
    expect(follows()).toEqual([true, false]);
    model.releaseAll();
    expect(follows()).toEqual([true, false]);
    model.ended(A);
    expect(follows()).toEqual([true, false]);
  });

  it('does not hold for an object that was never held', () => {
    expect(modelHolding(A).isInView(B)).toBe(false);
  });
});

describe('release', () => {
  it('leaves what the plan does not know for the next plan', () => {
    const model = modelHolding(A);
    const plan = planOf(model);
    model.hold(B, 1);
    expect(urlsOf(model.release(plan, IDLE))).toEqual([A]);
    expect(urlsOf(model.release(planOf(model), IDLE))).toEqual([B]);
  });

  it('passes over what the plan names but is no longer held, or never was', () => {
    const model = modelHolding(A, B);
    const plan: Plan = [{ id: 99, rankClass: 0 }, ...planOf(model)];
    expect(urlsOf(model.release(plan, IDLE))).toEqual([A, B]);
    expect(model.release(plan, IDLE)).toEqual([]);
    model.ended(A);
    expect(model.release(plan, IDLE)).toEqual([]);
  });

  it('goes by the window for what is not in view', () => {
    const model = modelHolding(A, B, C);
    model.layout({ view: VIEW, objects: [{ url: C, placement: IN_VIEW }] });
    expect(urlsOf(model.release(planOf(model), BUSY))).toEqual([C]);
    expect(urlsOf(model.release(planOf(model), IDLE))).toEqual([A, B]);
  });

  it('lets go what is foreseen when it is there or in view, whatever the window, and not before', () => {
    const model = modelHolding(A, B, C);
    model.layout({ view: VIEW, objects: [{ url: A, placement: IN_VIEW }, { url: B, placement: OFF_SCREEN }, { url: C, placement: IN_VIEW }] });
    const foreseen = (of: (url: string) => 'here' | 'coming' | undefined): Plan => planOf(model).map((object) => ({ ...object, foreseen: of([A, B, C][object.id] ?? '') }));
    expect(urlsOf(model.release(foreseen((url) => (url === C ? undefined : 'coming')), BUSY))).toEqual([A, C]);
    expect(urlsOf(model.release(foreseen(() => 'coming'), { ...IDLE, isUrgent: false }))).toEqual([]);
    expect(model.isHeld(B)).toBe(true);
    expect(urlsOf(model.release(foreseen(() => 'here'), BUSY))).toEqual([B]);
  });

  it('fills the longer window only after a layout', () => {
    const load: LinkLoad = { ...IDLE, bdpBytes: 20_000, bytesToCome: 50_000 };
    const model = modelHolding(A);
    expect(model.release(planOf(model), load)).toEqual([]);
    model.layout({ view: VIEW, objects: [] });
    expect(urlsOf(model.release(planOf(model), load))).toEqual([A]);
  });

  it('counts open requests by scheme, host and port', () => {
    const model = modelHolding('https://a.example:8443/x?y=/z', 'https://a.example/#');
    const asked: string[] = [];
    model.release(planOf(model), { ...IDLE, openTo: (origin) => (asked.push(origin), 0) });
    expect(new Set(asked)).toEqual(new Set(['https://a.example:8443', 'https://a.example']));
  });

  it.each<[string, Placement, Release['urgency']]>([
    ['in view', IN_VIEW, 'high'],
    ['used by a style', { state: 'styled' }, 'high'],
    ['not placed yet', { state: 'unplaced' }, 'high'],
    ['off screen', OFF_SCREEN, 'low'],
    ['not displayed', { state: 'undisplayed', near: null }, 'low'],
  ])('asks for what is %s with the urgency of its class', (_where, placement, urgency) => {
    const model = modelHolding(A);
    model.layout({ view: VIEW, objects: [{ url: A, placement }] });
    expect(model.release(planOf(model), IDLE)).toEqual([expect.objectContaining({ url: A, urgency })]);
  });
});

describe('releaseAll', () => {
  it('releases all that is held, with the urgency that the browser gives', () => {
    const model = modelHolding(A, B);
    model.release(planOf(model).slice(0, 1), IDLE);
    expect(model.releaseAll()).toEqual([expect.objectContaining({ url: B, urgency: 'auto' })]);
    expect([model.heldCount, model.releaseAll()]).toEqual([0, []]);
  });

  it('goes by the order of the requests, not of the holds', () => {
    const model = new PageModel(new ObjectSizes());
    model.hold(B, 2);
    model.hold(A, 1);
    expect(urlsOf(model.releaseAll())).toEqual([A, B]);
  });
});

describe('ended', () => {
  it('does not lose an object that is still held', () => {
    const model = modelHolding(A);
    model.ended(A);
    model.ended(B);
    expect(urlsOf(model.releaseAll())).toEqual([A]);
  });
});

describe('PageModel', () => {
  const url = fc.nat(14).map((n) => `https://${n % 3}.example/${n}.png`);
  const placement = fc.constantFrom<Placement>(IN_VIEW, OFF_SCREEN, { state: 'unplaced' }, { state: 'styled' }, { state: 'undisplayed', near: null });
  const step = fc.oneof(
    fc.record({ do: fc.constant('hold' as const), url, index: fc.nat(50) }),
    fc.record({ do: fc.constant('layout' as const), view: fc.option(fc.constant(VIEW)), objects: fc.array(fc.record({ url, placement }), { maxLength: 6 }) }),
    fc.record({ do: fc.constant('plan' as const) }),
    fc.record({ do: fc.constant('release' as const), bytesToCome: fc.nat(60_000), open: fc.nat(18) }),
    fc.record({ do: fc.constant('end' as const), url }),
  );

  it('releases each object exactly once, whatever happens in whatever order, by plans new or old', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const model = new PageModel(new ObjectSizes());
        const taken: string[] = [];
        const released: string[] = [];
        let plan: Plan = [];
        for (const now of steps) {
          if (now.do === 'hold') {
            if (model.hold(now.url, now.index)) taken.push(now.url);
          } else if (now.do === 'layout') model.layout(now);
          else if (now.do === 'plan') plan = planOf(model);
          else if (now.do === 'end') model.ended(now.url);
          else released.push(...urlsOf(model.release(plan, { ...IDLE, bdpBytes: 0, bytesToCome: now.bytesToCome, openTo: () => now.open })));
          expect(model.heldUrls()).toEqual(taken.filter((one) => !released.includes(one)));
          expect(model.heldCount).toBe(taken.length - released.length);
        }
        released.push(...urlsOf(model.releaseAll()));
        const held = steps.flatMap((now) => (now.do === 'hold' ? [now.url] : []));
        expect(released.toSorted()).toEqual([...new Set(held)].sort());
      }),
    );
  });
});
