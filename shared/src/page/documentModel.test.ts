import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INITIAL_LINK } from '../estimation/link.ts';
import { ObjectSizes } from '../estimation/objectSizes.ts';
import type { LayoutReport } from '../protocol/contentSchema.ts';
import type { LinkLoad } from '../scheduling/admission.ts';
import { RankClass } from '../scheduling/rank.ts';
import { DocumentModel, type Release } from './documentModel.ts';
import type { Placement } from './placement.ts';
import { MAX_REMEMBERED } from './remembered.ts';

const A = 'https://a.example/a.png';
const B = 'https://a.example/b.png';
const C = 'https://b.example/c.png';
const VIEW = { x: 0, y: 0, width: 1000, height: 500 };
const IN_VIEW: Placement = { state: 'placed', rect: { x: 0, y: 0, width: 100, height: 100 } };
const OFF_SCREEN: Placement = { state: 'placed', rect: { x: 0, y: 5000, width: 100, height: 100 } };
const IDLE: LinkLoad = { link: INITIAL_LINK, bytesToCome: 0, connectingBytes: 0, isUrgent: false, openTo: () => 0, isConnecting: () => false, isHttpsOrdered: false, openSecureImages: 0 };
const BUSY: LinkLoad = { ...IDLE, bytesToCome: 10_000_000 };

function modelHolding(...urls: string[]): DocumentModel {
  const model = new DocumentModel(new ObjectSizes());
  for (const [order, url] of urls.entries()) model.hold(url, order);
  return model;
}

function layout(placements: Readonly<Record<string, Placement>>, change: Partial<LayoutReport> = {}): LayoutReport {
  return { view: VIEW, isVisible: true, isParsed: false, look: 0, isWhole: false, images: Object.entries(placements).map(([url, placement]) => ({ url, placement })), ...change };
}

const urlsOf = (releases: readonly Release[]): string[] => releases.map(({ url }) => url);

describe('DocumentModel', () => {
  it('holds an image once, and not again when it was released', () => {
    const model = modelHolding(A);
    expect(model.hold(A, 1)).toBe(false);
    model.releaseAll();
    expect([model.hold(A, 2), model.isHeld(A), model.heldCount]).toEqual([false, false, 0]);
  });

  it('remembers the latest that were released of a page that asks for pictures for days', () => {
    const model = modelHolding();
    const urls = Array.from({ length: MAX_REMEMBERED + 1 }, (_, n) => `https://a.example/camera.jpg?${n}`);
    for (const [order, url] of urls.entries()) {
      model.hold(url, order);
      model.releaseAll();
    }
    expect([urls[0], urls[1], urls.at(-1)].map((url, n) => model.hold(url ?? '', n))).toEqual([true, false, false]);
  });

  it('releases in view first, then by the order of requests', () => {
    const model = modelHolding(A, B, C);
    model.layout(layout({ [C]: IN_VIEW, [A]: OFF_SCREEN, [B]: OFF_SCREEN }));
    expect(urlsOf(model.release(BUSY))).toEqual([C]);
    expect(urlsOf(model.release(IDLE))).toEqual([A, B]);
  });

  it('leaves an image that a report does not name where it was, and trusts no position without a view', () => {
    const model = modelHolding(A, B);
    model.layout(layout({ [A]: IN_VIEW }));
    model.layout(layout({ [B]: OFF_SCREEN }));
    expect([model.isInView(A), model.isInView(B)]).toEqual([true, false]);
    model.layout(layout({}, { view: null }));
    expect([model.isInView(A), model.mayBeInView(B)]).toEqual([false, true]);
  });

  it('knows the place of an image before it is held', () => {
    const model = modelHolding();
    model.layout(layout({ [A]: IN_VIEW }));
    expect(model.candidate(A)).toMatchObject({ rankClass: RankClass.inView, origin: 'https://a.example' });
    expect(model.candidate(B)).toMatchObject({ rankClass: RankClass.unplaced });
  });

  it.each([
    ['the document was parsed when the script looked', { isParsed: true, look: 1 }, true],
    ['it was not parsed', { isParsed: false, look: 1 }, false],
    ['the image was held after the look', { isParsed: true, look: 0 }, false],
  ])('takes what no element shows for a style\'s, in view: %s', (_, report, expected) => {
    const model = modelHolding(A);
    expect(model.wantsLook).toBe(true);
    model.looks += 1;
    expect(model.wantsLook).toBe(false);
    model.layout(layout({}, report));
    expect(model.isInView(A)).toBe(expected);
  });

  it('takes what is asked for after the layout, and no element shows, for a style\'s before all is parsed', () => {
    const model = modelHolding(A);
    model.layout(layout({}));
    model.hold(B, 1);
    model.looks += 1;
    model.layout(layout({}, { look: 1 }));
    expect([model.isInView(A), model.isInView(B)]).toEqual([false, true]);
  });

  it('of a document whose view was looked at whole, what nothing in it names stands elsewhere', () => {
    const model = modelHolding(A, B);
    model.layout(layout({ [A]: { state: 'styled' } }, { isParsed: true, look: 1, isWhole: true }));
    expect([model.isInView(A), model.mayBeInView(B)]).toEqual([true, false]);
    model.layout(layout({ [B]: { state: 'styled' } }));
    expect(model.isInView(B)).toBe(true);
  });

  it('ranks nothing of a document that nobody sees before what somebody sees', () => {
    const model = modelHolding(A);
    model.layout(layout({ [A]: IN_VIEW }, { isVisible: false }));
    expect([model.mayBeInView(A), urlsOf(model.release(BUSY))]).toEqual([false, []]);
    model.layout(layout({}));
    expect(urlsOf(model.release(BUSY))).toEqual([A]);
  });

  it('tells ranks by class, and by screens from the view', () => {
    const model = modelHolding();
    model.layout(layout({ [A]: IN_VIEW, [B]: OFF_SCREEN }));
    expect(model.ranks()).toEqual([
      { url: A, rankClass: RankClass.inView, order: 0, pixels: 10_000 },
      { url: B, rankClass: RankClass.offScreen, order: 9, pixels: 10_000 },
    ]);
  });

  it('of a page that goes on and on knows the places that are near, and of all that is held', () => {
    const SCREENS = 700;
    const held = 'https://a.example/held.png';
    const model = modelHolding(held);
    model.layout(layout({ [held]: IN_VIEW }));
    for (let screen = 0; screen < SCREENS; screen += 1) {
      const y = screen * VIEW.height;
      const shown = Array.from({ length: 10 }, (_, n) => [`https://a.example/${screen}-${n}.png`, { state: 'placed', rect: { x: 90 * n, y, width: 80, height: 80 } } satisfies Placement] as const);
      model.layout(layout(Object.fromEntries(shown), { view: { ...VIEW, y } }));
      for (const [url] of shown) expect(model.isInView(url)).toBe(true);
      expect(model.ranks().length).toBeLessThanOrEqual(5_000);
    }
    expect(model.ranks()).toContainEqual(expect.objectContaining({ url: held }));
  });

  describe('with the data saver', () => {
    const FAR_PX = 2_500;
    const NEAR: Placement = { state: 'placed', rect: { x: 0, y: 600, width: 100, height: 100 } };
    const saving = (...urls: string[]): DocumentModel => Object.assign(modelHolding(...urls), { leavesBeyondPx: FAR_PX });

    it('an image waits until it is known where it stands, however empty the link, and no image without the saver', () => {
      const model = saving(A, B);
      expect([model.mustWait(A), urlsOf(model.release(IDLE))]).toEqual([true, []]);
      model.layout(layout({ [A]: IN_VIEW, [B]: NEAR }));
      expect([model.mustWait(A), urlsOf(model.release(IDLE))]).toEqual([false, [A, B]]);
      expect(modelHolding(A).mustWait(A)).toBe(false);
    });

    it.each<[string, Placement, Partial<LayoutReport>, boolean]>([
      ['far below', OFF_SCREEN, {}, true],
      ['far below, without a size yet', { state: 'placed', rect: { x: 0, y: 5_000, width: 100, height: 0 } }, {}, true],
      ['far above', IN_VIEW, { view: { ...VIEW, y: 9_000 } }, true],
      ['in view', IN_VIEW, {}, false],
      ['as near as the browser itself begins', { state: 'placed', rect: { x: 0, y: VIEW.height + FAR_PX, width: 100, height: 100 } }, {}, false],
      ['far below, and so small that it weighs nothing', { state: 'placed', rect: { x: 0, y: 5_000, width: 1, height: 1 } }, {}, false],
      ['in no place', { state: 'undisplayed', near: null }, {}, false],
      ['in a style', { state: 'styled' }, {}, false],
    ])('one that stands %s is to be left, once: %j', (_, placement, change, expected) => {
      const model = saving(A);
      model.layout(layout({ [A]: placement }, change));
      expect([model.mustWait(A), model.takeFar(), model.takeFar()]).toEqual([expected, expected ? [A] : [], []]);
    });

    it('one that is asked for after the layout waits for its element while that may yet be parsed', () => {
      const model = saving();
      model.layout(layout({}));
      model.hold(A, 0);
      model.looks += 1;
      model.layout(layout({}, { look: 1 }));
      expect([model.mustWait(A), urlsOf(model.release(IDLE))]).toEqual([true, []]);
      model.layout(layout({}, { look: 1, isParsed: true }));
      expect([model.mustWait(A), urlsOf(model.release(IDLE))]).toEqual([false, [A]]);
    });

    it('in a document that nobody sees every one is to be left, once all elements are there', () => {
      const model = saving(A);
      model.layout(layout({}, { view: null, isVisible: false }));
      expect([model.mustWait(A), model.takeFar()]).toEqual([true, []]);
      model.layout(layout({}, { view: null, isVisible: false, isParsed: true }));
      expect(model.takeFar()).toEqual([A]);
    });

    it('one that was left is held no more, and one that can not be left goes as others do', () => {
      const model = saving(A, B);
      model.layout(layout({ [A]: OFF_SCREEN, [B]: OFF_SCREEN }));
      expect([model.takeFar(), urlsOf(model.release(IDLE))]).toEqual([[A, B], []]);
      model.keep([B, C]);
      expect([urlsOf(model.unhold([A, C])), model.isHeld(A), model.mustWait(C)]).toEqual([[A], false, true]);
      expect([urlsOf(model.release(BUSY)), urlsOf(model.release(IDLE))]).toEqual([[], [B]]);
    });

    it('all else goes at once where there is nothing to put in order', () => {
      const model = saving(A, B);
      model.layout(layout({ [A]: OFF_SCREEN, [B]: NEAR }));
      expect(urlsOf(model.release(null))).toEqual([B]);
      model.leavesBeyondPx = null;
      expect(urlsOf(model.release(null))).toEqual([A]);
    });
  });

  it('lets go of each image exactly once, whatever happens in whatever order', () => {
    const url = fc.nat(14).map((n) => `https://${n % 3}.example/${n}.png`);
    const placement = fc.constantFrom<Placement>(IN_VIEW, OFF_SCREEN, { state: 'unplaced' }, { state: 'styled' }, { state: 'undisplayed', near: null });
    const step = fc.oneof(
      fc.record({ do: fc.constant('hold' as const), url, order: fc.nat(50) }),
      fc.record({ do: fc.constant('layout' as const), view: fc.option(fc.constant(VIEW)), isVisible: fc.boolean(), isParsed: fc.boolean(), look: fc.nat(2), isWhole: fc.boolean(), images: fc.array(fc.record({ url, placement }), { maxLength: 6 }) }),
      fc.record({ do: fc.constant('release' as const), bytesToCome: fc.nat(60_000), open: fc.nat(18) }),
      fc.record({ do: fc.constant('save' as const), leavesBeyondPx: fc.option(fc.constant(1_000)) }),
      fc.record({ do: fc.constant('unhold' as const), urls: fc.array(url, { maxLength: 4 }) }),
      fc.record({ do: fc.constant('keep' as const), urls: fc.array(url, { maxLength: 4 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const model = modelHolding();
        const taken: string[] = [];
        const released: string[] = [];
        for (const now of steps) {
          if (now.do === 'hold') {
            if (model.hold(now.url, now.order)) taken.push(now.url);
          } else if (now.do === 'layout') model.layout(now);
          else if (now.do === 'save') model.leavesBeyondPx = now.leavesBeyondPx;
          else if (now.do === 'unhold') released.push(...urlsOf(model.unhold(now.urls)));
          else if (now.do === 'keep') model.keep(now.urls);
          else released.push(...urlsOf(model.release({ ...IDLE, bytesToCome: now.bytesToCome, openTo: () => now.open })));
          expect(model.heldCount).toBe(taken.length - released.length);
        }
        released.push(...urlsOf(model.releaseAll()));
        const held = steps.flatMap((now) => (now.do === 'hold' ? [now.url] : []));
        expect(released.toSorted()).toEqual([...new Set(held)].sort());
      }),
    );
  });
});
