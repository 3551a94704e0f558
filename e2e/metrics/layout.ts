import * as v from 'valibot';
import type { Rect } from '../../shared/src/page/geometry.ts';
import type { FrameInView } from './artifacts.ts';
import { collectFrame } from './collectFrame.ts';
import type { Viewport } from './measuredPage.ts';

export const RectSchema = v.object({ x: v.number(), y: v.number(), width: v.number(), height: v.number() });

const FrameLayoutSchema = v.object({
  url: v.string(),
  timeOriginMs: v.number(),
  domContentLoadedMs: v.nullable(v.number()),
  images: v.array(v.object({ url: v.string(), kind: v.picklist(['image', 'background', 'poster', 'svg', 'input']), rect: RectSchema })),
  unusedStyleSheets: v.array(v.string()),
});

/** A document of the page, as a browser lets it be asked. */
export interface InspectedFrame {
  readonly id: string;
  /** In a world of its own, as pages of the recordings replace built-in functions. */
  evaluate(expression: string): Promise<unknown>;
  /** The frames in it that are shown, with their content boxes in its viewport. */
  children(): Promise<readonly { readonly frame: InspectedFrame; readonly box: Rect }[]>;
}

/** A document and where it is seen: its viewport within the page's, and the part of the page's view it may show. */
interface Place {
  readonly frame: InspectedFrame;
  readonly offset: { readonly x: number; readonly y: number };
  readonly clip: Rect;
}

/**
 * The final layout of every document in the first viewport: the main one and, recursively, the frames that intersect
 * the view.
 */
export async function collectLayout(main: InspectedFrame, viewport: Viewport): Promise<FrameInView[]> {
  const layouts: FrameInView[] = [];
  const places: Place[] = [{ frame: main, offset: { x: 0, y: 0 }, clip: { x: 0, y: 0, ...viewport } }];
  for (let place = places.shift(); place; place = places.shift()) {
    const { frame, offset, clip } = place;
    const localClip = { ...clip, x: clip.x - offset.x, y: clip.y - offset.y };
    const answer = await frame.evaluate(`(${collectFrame.toString()})(${JSON.stringify(localClip)}, ${JSON.stringify(offset)})`);
    layouts.push({ ...v.parse(FrameLayoutSchema, answer), frameId: frame.id });
    for (const { frame: child, box } of await frame.children()) {
      const childOffset = { x: offset.x + box.x, y: offset.y + box.y };
      const childClip = intersection(clip, { ...box, ...childOffset });
      if (childClip.width >= 1 && childClip.height >= 1) places.push({ frame: child, offset: childOffset, clip: childClip });
    }
  }
  return layouts;
}

function intersection(a: Rect, b: Rect): Rect {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  return { x, y, width: Math.max(0, Math.min(a.x + a.width, b.x + b.width) - x), height: Math.max(0, Math.min(a.y + a.height, b.y + b.height) - y) };
}
