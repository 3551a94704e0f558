import type { RequestWillBeSent, StackTrace } from '../browsers/commands.ts';
import type { DevToolsSession } from '../browsers/connection.ts';
import type { BrowserRequest } from './artifacts.ts';

/** Records what kind each URL is and who asked for it, in the page and in its frames of other processes. */
export class RequestRecorder {
  readonly requests: BrowserRequest[] = [];
  readonly redirects = new Map<string, string>();
  /** Sessions of frames that live in other processes, by frame id. */
  readonly remoteFrames = new Map<string, DevToolsSession>();

  async watch(session: DevToolsSession): Promise<void> {
    session.on('Network.requestWillBeSent', (event) => this.#record(event));
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      const child = session.child(sessionId);
      this.remoteFrames.set(targetInfo.targetId, child);
      // The frame waits until it is watched; it may also be gone already.
      this.watch(child)
        .then(() => child.send('Runtime.runIfWaitingForDebugger', {}))
        .catch(() => this.remoteFrames.delete(targetInfo.targetId));
    });
    session.on('Target.detachedFromTarget', ({ sessionId }) => {
      for (const [frameId, child] of this.remoteFrames) if (child.id === sessionId) this.remoteFrames.delete(frameId);
    });
    await Promise.all([
      session.send('Network.enable', {}),
      session.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: [{ type: 'iframe', exclude: false }, { exclude: true }],
      }),
    ]);
  }

  #record(event: RequestWillBeSent): void {
    const url = withoutFragment(event.request.url);
    if (event.redirectResponse) this.redirects.set(withoutFragment(event.redirectResponse.url), url);
    this.requests.push({ url, frameId: event.frameId ?? null, type: event.type ?? 'Other', initiatorUrl: initiatorOf(event) });
  }
}

function initiatorOf({ initiator, redirectResponse, documentURL }: RequestWillBeSent): string | null {
  const named = redirectResponse?.url ?? initiator.url ?? topOfStack(initiator.stack) ?? documentURL;
  return named === '' ? null : withoutFragment(named);
}

function topOfStack(stack: StackTrace | undefined): string | undefined {
  if (!stack) return undefined;
  return stack.callFrames.find(({ url }) => url !== '')?.url ?? topOfStack(stack.parent);
}

export function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash < 0 ? url : url.slice(0, hash);
}
