import * as v from 'valibot';
import type { FrameTree } from '../browsers/commands.ts';
import type { DevToolsSession } from '../browsers/connection.ts';
import type { Rect } from '../../shared/src/page/geometry.ts';
import type { FrameInView } from './artifacts.ts';
import { collectFrame } from './collectFrame.ts';
import { frameBox } from './frameBox.ts';

const RectSchema = v.object({ x: v.number(), y: v.number(), width: v.number(), height: v.number() });

const FrameLayoutSchema = v.object({
  url: v.string(),
  timeOriginMs: v.number(),
  domContentLoadedMs: v.nullable(v.number()),
  images: v.array(v.object({ url: v.string(), kind: v.picklist(['image', 'background', 'poster', 'svg', 'input']), rect: RectSchema })),
  unusedStyleSheets: v.array(v.string()),
});

const WORLD_NAME = 'bench';

/** A document of the page, its frame in the tree of its session, and where it is seen. */
interface Place {
  readonly session: DevToolsSession;
  readonly tree: FrameTree;
  /** Its viewport within the page's, and the part of the page's view it may show. */
  readonly offset: { readonly x: number; readonly y: number };
  readonly clip: Rect;
}

/**
 * The final layout of every document in the first viewport: the main one and, recursively, the frames that intersect the view.
 *
 * Everything runs in isolated worlds, as pages of the recordings replace built-in functions.
 *
 * @param remoteFrames sessions of frames in other processes, by frame id (Chromium uses the frame's id as the target's)
 */
export async function collectLayout(
  page: DevToolsSession,
  remoteFrames: ReadonlyMap<string, DevToolsSession>,
  viewport: { readonly width: number; readonly height: number },
): Promise<FrameInView[]> {
  const { frameTree } = await page.send('Page.getFrameTree', {});
  const layouts: FrameInView[] = [];
  const places: Place[] = [{ session: page, tree: frameTree, offset: { x: 0, y: 0 }, clip: { x: 0, y: 0, ...viewport } }];
  for (let place = places.shift(); place; place = places.shift()) {
    const { session, tree, offset, clip } = place;
    const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: tree.frame.id, worldName: WORLD_NAME });
    const localClip = { ...clip, x: clip.x - offset.x, y: clip.y - offset.y };
    const expression = `(${collectFrame.toString()})(${JSON.stringify(localClip)}, ${JSON.stringify(offset)})`;
    const layout = v.parse(FrameLayoutSchema, await session.evaluate(expression, executionContextId));
    layouts.push({ ...layout, frameId: tree.frame.id });
    places.push(...(await childPlaces(place, executionContextId, remoteFrames)));
  }
  return layouts;
}

async function childPlaces(parent: Place, contextId: number, remoteFrames: ReadonlyMap<string, DevToolsSession>): Promise<Place[]> {
  const children: { session: DevToolsSession; tree: FrameTree }[] = (parent.tree.childFrames ?? []).map((tree) => ({ session: parent.session, tree }));
  const localIds = new Set(children.map(({ tree }) => tree.frame.id));
  for (const [frameId, session] of remoteFrames) {
    if (localIds.has(frameId)) continue;
    // A remote frame is missing from its parent's tree; whoever can name its owner element is the parent.
    const tree = await session.send('Page.getFrameTree', {}).catch(() => null);
    if (tree) children.push({ session, tree: tree.frameTree });
  }
  const places: Place[] = [];
  for (const { session, tree } of children) {
    const box = await ownerBox(parent.session, tree.frame.id, contextId);
    if (!box) continue;
    const offset = { x: parent.offset.x + box.x, y: parent.offset.y + box.y };
    const clip = intersection(parent.clip, { ...box, ...offset });
    if (clip.width >= 1 && clip.height >= 1) places.push({ session, tree, offset, clip });
  }
  return places;
}

/** Null when the frame is hidden, gone, or belongs to another document. */
async function ownerBox(session: DevToolsSession, frameId: string, executionContextId: number): Promise<Rect | null> {
  try {
    const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId });
    const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId });
    const { result } = await session.send('Runtime.callFunctionOn', {
      functionDeclaration: frameBox.toString(),
      objectId: object.objectId,
      returnByValue: true,
    });
    return v.parse(v.nullable(RectSchema), result.value);
  } catch {
    return null;
  }
}

function intersection(a: Rect, b: Rect): Rect {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  return { x, y, width: Math.max(0, Math.min(a.x + a.width, b.x + b.width) - x), height: Math.max(0, Math.min(a.y + a.height, b.y + b.height) - y) };
}
