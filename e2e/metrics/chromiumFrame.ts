import type { CDPSession, Frame, Page } from 'playwright-core';
import * as v from 'valibot';
import type { Rect } from '../../shared/src/page/geometry.ts';
import { frameBox } from './frameBox.ts';
import { RectSchema, type InspectedFrame } from './layout.ts';

/** Of Page.getFrameTree. */
interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameTree[];
}

const WORLD_NAME = 'bench';

/** A frame in a process of its own. */
export interface RemoteFrame {
  readonly frame: Frame;
  readonly session: CDPSession;
  readonly tree: FrameTree;
}

/** The frames of a page that are in processes of their own; Playwright has no session for the others. */
export async function remoteFrames(page: Page): Promise<RemoteFrame[]> {
  const found: RemoteFrame[] = [];
  for (const frame of page.frames()) {
    if (frame === page.mainFrame()) continue;
    const session = await page.context().newCDPSession(frame).catch(() => null);
    const tree = await session?.send('Page.getFrameTree').catch(() => null);
    if (session && tree) found.push({ frame, session, tree: tree.frameTree });
  }
  return found;
}

/** The main document of a session's target. */
export async function mainFrame(session: CDPSession, remote: readonly RemoteFrame[]): Promise<InspectedFrame> {
  return inspect(session, (await session.send('Page.getFrameTree')).frameTree, remote);
}

async function inspect(session: CDPSession, tree: FrameTree, remote: readonly RemoteFrame[]): Promise<InspectedFrame> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: tree.frame.id, worldName: WORLD_NAME });
  return {
    id: tree.frame.id,
    evaluate: (expression) => evaluate(session, expression, executionContextId),
    children: () => children({ session, tree, executionContextId }, remote),
  };
}

async function children(parent: { readonly session: CDPSession; readonly tree: FrameTree; readonly executionContextId: number }, remote: readonly RemoteFrame[]): Promise<{ frame: InspectedFrame; box: Rect }[]> {
  const local = (parent.tree.childFrames ?? []).map((tree) => ({ session: parent.session, tree }));
  const localIds = new Set(local.map(({ tree }) => tree.frame.id));
  // A remote frame is missing from its parent's tree; whoever can name its owner element is the parent.
  const candidates = [...local, ...remote.filter(({ tree }) => !localIds.has(tree.frame.id))];
  const shown: { frame: InspectedFrame; box: Rect }[] = [];
  for (const { session, tree } of candidates) {
    const box = await ownerBox(parent.session, tree.frame.id, parent.executionContextId);
    if (box) shown.push({ frame: await inspect(session, tree, remote), box });
  }
  return shown;
}

/** The value of an expression; an exception in it rejects. */
async function evaluate(session: CDPSession, expression: string, contextId: number): Promise<unknown> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true, contextId });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as unknown;
}

/** Null when the frame is hidden, gone, or belongs to another document. */
async function ownerBox(session: CDPSession, frameId: string, executionContextId: number): Promise<Rect | null> {
  try {
    const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId });
    const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId });
    const { result } = await session.send('Runtime.callFunctionOn', { functionDeclaration: `function () { return (${frameBox.toString()})(this); }`, objectId: object.objectId ?? '', returnByValue: true });
    return v.parse(v.nullable(RectSchema), result.value);
  } catch {
    return null;
  }
}
