import { MAX_URL_CHARS } from '../../../shared/src/protocol/content.ts';
import { MAX_REQUEST_EVENTS, PROTOCOL_VERSION, type HelperMessageOf } from '../../../shared/src/protocol/native.ts';
import { EventBuffer } from '../../../shared/src/requests/eventBuffer.ts';
import type { Recording } from '../../../shared/src/requests/recording.ts';
import type { RequestEvent } from '../../../shared/src/requests/requestEvent.ts';

/** Of a page of a thousand objects: what a browser that takes nothing may cost in memory is some megabytes. */
const CAPACITY = 10_000;
/** A person follows no faster. */
const TELL_MS = 250;
/** Of URLs in one message, in characters: with all else it stays far below the limit of a frame, whatever they hold. */
const MAX_MESSAGE_URL_CHARS = 200_000;

type RequestsMessage = HelperMessageOf<'requests'>;

/**
 * Tells the extension the way of each request, while it wants to know. URLs go to the browser alone, which has asked for
 * them; nothing of it is logged.
 */
export class RequestNews {
  private readonly recording: Recording;
  private readonly output: { readonly isFull: boolean; say(message: RequestsMessage): unknown };
  /** Milliseconds of the wall clock. */
  private readonly wallNow: () => number;
  private readonly buffer = new EventBuffer(CAPACITY);
  /** Taken, and not told yet, in their order. */
  private toTell: RequestEvent[] = [];
  private stop: (() => void) | null = null;
  private timer: NodeJS.Timeout | undefined;
  private count = 0;

  constructor(recording: Recording, output: RequestNews['output'], wallNow: () => number) {
    this.recording = recording;
    this.output = output;
    this.wallNow = wallNow;
  }

  want(isWanted: boolean): void {
    if (isWanted === (this.stop !== null)) return;
    if (isWanted) {
      this.stop = this.recording.listen((event) => this.heard(event));
      return;
    }
    this.stop?.();
    this.stop = null;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.buffer.take();
    [this.toTell, this.count] = [[], 0];
  }

  private heard(event: RequestEvent): void {
    // a URL that long is not the page's business with the extension either (`ranks`)
    const isTooLong = 'url' in event && event.url.length > MAX_URL_CHARS;
    this.buffer.push(isTooLong ? { type: 'lost', atMs: event.atMs, count: 1 } : event);
    this.count += 1;
    if (this.count >= MAX_REQUEST_EVENTS && !this.output.isFull) this.tell();
    else this.timer ??= setTimeout(() => this.tell(), TELL_MS).unref();
  }

  /** As much as the browser takes; the rest later. */
  private tell(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.count = 0;
    while (!this.output.isFull) {
      if (this.toTell.length === 0) this.toTell = this.buffer.take();
      if (this.toTell.length === 0) return;
      const events = this.toTell.splice(0, inOneMessage(this.toTell));
      this.output.say({ v: PROTOCOL_VERSION, id: 0, type: 'requests', payload: { wallOffsetMs: this.wallNow() - this.recording.now(), events } });
    }
    this.timer = setTimeout(() => this.tell(), TELL_MS).unref();
  }
}

/** How many of these go into the next message; one at least. */
function inOneMessage(events: readonly RequestEvent[]): number {
  let [count, chars] = [0, 0];
  for (const event of events.slice(0, MAX_REQUEST_EVENTS)) {
    chars += 'url' in event ? event.url.length : 0;
    if (count > 0 && chars > MAX_MESSAGE_URL_CHARS) break;
    count += 1;
  }
  return count;
}
