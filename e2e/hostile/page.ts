/** Makes the pages of the cases; what runs in them is sent as text, so it may use nothing from outside itself. */

import type { Answer } from './exchange.ts';

/** What a page's script can use. */
interface PageWindow {
  /** Something that the script has seen, in a list of its own for each topic: lists are compared, not the order between topics. */
  note(topic: string, value?: unknown): void;
  /** As `decode()` of an image, but it rejects only where there is no picture: a busy browser now and then fails to decode one that has come, without us too. */
  decoded(image: HTMLImageElement): Promise<void>;
  /** Tells everything noted and everything there is to see; the first call counts. */
  finish(): void;
  finished: Promise<unknown>;
}

/** Before any other script of the page. */
function observe(): void {
  const own = window as unknown as PageWindow;
  const notes: Record<string, unknown[]> = {};
  /** Of a longer URL the beginning is told. */
  const TOLD_CHARACTERS = 200;
  const plain = (url: string): string => url.slice(0, TOLD_CHARACTERS).replace(/^blob:.*/, 'blob:').replace(/^data:.*/, 'data:').replace(/^https?:\/\/[^/]*\.(\w+)\.test/, '$1');
  let tell: (told: unknown) => void = () => undefined;
  own.finished = new Promise((resolve) => {
    tell = resolve;
  });
  own.note = (topic, value = '') => {
    (notes[topic] ??= []).push(value);
  };
  own.decoded = (image) => image.decode().catch((error: unknown) => {
    if (image.naturalWidth === 0) throw error;
  });
  const sorted = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> => Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
  /** Resource timing tells of an answer some tasks after the page has heard of it. */
  const TIMED_AFTER_MS = 200;
  let isFinished = false;
  own.finish = () => {
    if (isFinished) return;
    isFinished = true;
    setTimeout(tellAll, TIMED_AFTER_MS);
  };
  const tellAll = (): void => {
    const counts: Record<string, number> = {};
    for (const { name, entryType } of performance.getEntries()) if (entryType === 'resource') counts[plain(name)] = (counts[plain(name)] ?? 0) + 1;
    const images = [...document.images].map((image, index) => [
      image.id || `image ${index}`,
      `${image.naturalWidth}x${image.naturalHeight} in ${image.width}x${image.height} ${image.complete ? 'complete' : 'loading'} ${plain(image.currentSrc)}`,
    ] as const);
    tell({ notes: sorted(Object.entries(notes)), images: sorted(images), resources: sorted(Object.entries(counts)), title: document.title });
  };
  for (const type of ['load', 'error']) {
    document.addEventListener(type, ({ target }) => target instanceof Element && own.note(`<${target.id || target.tagName.toLowerCase()}>`, type), true);
  }
  document.addEventListener('DOMContentLoaded', () => own.note('document', 'parsed'));
  window.addEventListener('load', () => own.note('document', 'loaded'));
  window.addEventListener('error', ({ message }) => own.note('exceptions', message));
  window.addEventListener('unhandledrejection', ({ reason }) => own.note('exceptions', String(reason)));
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => own.note('violations', `${effectiveDirective} ${plain(blockedURI)}`));
}

export const OBSERVER = `(${observe.toString()})()`;
/** Of the observer, for pages whose policy allows no other script in the document. */
export const FINISH_AT_LOAD = "addEventListener('load', () => setTimeout(finish))";

/** Of a script that is asynchronous (`scripted`): waits until all that the document names is there. */
export const LOADED = "if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', () => setTimeout(resolve)));";

export interface PageOptions {
  readonly head?: string;
  readonly body?: string;
  /** Runs at the end of the body; calls `finish` at its end. By default everything is told once the window has loaded. */
  readonly script?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** An HTML page that tells what its script sees. */
export function page({ head = '', body = '', script = FINISH_AT_LOAD, headers = {} }: PageOptions): Answer {
  const text = `<!doctype html><html lang=en><head><meta charset=utf-8><link rel=icon href=data:,><title>t</title><script>${OBSERVER}</script>${head}</head><body>${body}<script>${script}</script></body></html>`;
  return { headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', ...headers }, body: text };
}

/** A page whose script is asynchronous: what it throws is told. */
export function scripted(script: string, options: PageOptions = {}): Answer {
  return page({ ...options, script: `(async () => { ${script} })().catch((error) => note('exceptions', String(error))).then(() => setTimeout(finish))` });
}

export function file(type: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Answer {
  return { headers: { 'content-type': type, 'cache-control': 'no-store', ...headers }, body };
}
