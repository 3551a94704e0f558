import type { Outstanding } from '../../../shared/src/scheduling/releaseWindow.ts';

/** Resource types as webRequest names them. */
type ResourceType = string;

/** Compressed sizes expected before a Content-Length is known, in bytes; medians of the recorded pages, rounded. */
const EXPECTED_BYTES: Readonly<Record<ResourceType, number>> = { main_frame: 20_000, sub_frame: 5_000, stylesheet: 8_000, script: 12_000, font: 20_000 };
const OTHER_BYTES = 5_000;
/** What the first layout waits for (NSF report, section VI: HTML, CSS, JavaScript, fonts). */
const LAYOUT_TYPES: ReadonlySet<ResourceType> = new Set(['main_frame', 'stylesheet', 'script', 'font']);
/** A request that has not ended after this time is no use of the link: a server that hangs, a long poll. */
const STALLED_MS = 4_000;

interface OpenRequest {
  readonly type: ResourceType;
  readonly startMs: number;
  readonly bytes: number;
}

/** Open requests of one tab other than the gate's images, as bytes that are still to come. */
export class TabNetwork {
  private readonly open = new Map<string, OpenRequest>();

  start(requestId: string, type: ResourceType, nowMs: number): void {
    this.open.set(requestId, { type, startMs: nowMs, bytes: EXPECTED_BYTES[type] ?? OTHER_BYTES });
  }

  headers(requestId: string, contentBytes: number | null): void {
    const request = this.open.get(requestId);
    if (request !== undefined && contentBytes !== null) this.open.set(requestId, { ...request, bytes: contentBytes });
  }

  end(requestId: string): void {
    this.open.delete(requestId);
  }

  outstanding(nowMs: number): Outstanding {
    let urgentBytes = 0;
    let otherBytes = 0;
    for (const { type, startMs, bytes } of this.open.values()) {
      if (nowMs - startMs > STALLED_MS) continue;
      if (LAYOUT_TYPES.has(type)) urgentBytes += bytes;
      else otherBytes += bytes;
    }
    return { urgentBytes, otherBytes };
  }
}
