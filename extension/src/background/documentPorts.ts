import { safeParse } from 'valibot';
import type { FirstScreenNeeds } from '../../../shared/src/memory/neededObject.ts';
import type { FirstScreenTiming } from '../../../shared/src/protocol/firstScreenTimingSchema.ts';
import { originOf } from '../../../shared/src/page/origin.ts';
import { DOCUMENT_PORT, type BackgroundMessage, type PointedLink } from '../../../shared/src/protocol/content.ts';
import { ContentMessageSchema, type ContentMessage } from '../../../shared/src/protocol/contentSchema.ts';
import { MAIN_FRAME, documentKeyOf } from '../platform/documentKey.ts';
import type { Documents } from './documents.ts';
import { log } from './log.ts';
import { isOrdinary } from './ordinaryTab.ts';

export interface Learning {
  /** Whether the helper remembers this page, which a tab shows. */
  mayRemember(url: string, tabId: number): boolean;
  /** @param tabId that shows the page */
  learn(tabId: number, url: string, needs: FirstScreenNeeds): void;
}

export interface Links {
  /** A page is there, in this tab. @returns ends it */
  connected(url: string, tabId: number, send: (message: BackgroundMessage) => void): () => void;
  pointed(link: PointedLink, tabId: number): void;
}

export interface Inspectors {
  connected(tabId: number, send: (message: BackgroundMessage) => void): () => void;
  said(tabId: number, message: ContentMessage): void;
}

export interface Timings {
  /** What a tab's new document is asked for; null for nothing. */
  asked(tabId: number, url: string): Pick<Extract<BackgroundMessage, { type: 'measure' }>, 'load' | 'waitsForQuiet'> | null;
  measured(tabId: number, url: string, load: number, timing: FirstScreenTiming): void;
}

/** Content scripts come and go by their ports; nothing that one says is trusted. */
export function acceptDocuments(documents: Documents, learning: Learning, links: Links, inspectors: Inspectors, timings: Timings): void {
  chrome.runtime.onConnect.addListener((port) => {
    const { sender } = port;
    if (port.name !== DOCUMENT_PORT || sender?.tab?.id === undefined || sender.frameId === undefined) return;
    const { frameId, url, documentId, documentLifecycle } = sender;
    const tabId = sender.tab.id;
    // the tab does not show yet what is prerendered
    const page = (frameId === MAIN_FRAME || documentLifecycle === 'prerender' ? url : sender.tab.url) ?? null;
    const isPrivate = !isOrdinary(sender.tab);
    const key = documentKeyOf({ documentId, tabId, frameId });
    // only of whole pages: nothing is asked or told of private windows and containers, nor of what a script has made
    // (about:, blob:), which nobody would find again to erase it
    const isPage = frameId === MAIN_FRAME && !isPrivate && url !== undefined && /^https?:/.test(url);
    const send = (message: BackgroundMessage): void => port.postMessage(message);
    const content = { tabId, isPage: frameId === MAIN_FRAME, isPrivate, page, send };
    port.onDisconnect.addListener(() => {
      // of a page that goes into the back/forward cache Chromium says why, as an error where nobody reads it
      const { lastError: _ } = chrome.runtime;
      unlink?.();
      leave?.();
      documents.disconnected(key, content);
    });
    port.onMessage.addListener((input: unknown) => {
      const message = safeParse(ContentMessageSchema, input);
      if (!message.success) {
        log('warn', 'content', 'E_MESSAGE_SCHEMA', 'a content script sent a message that does not fit its schema; ignored');
        return;
      }
      const { output } = message;
      if (frameId === MAIN_FRAME) inspectors.said(tabId, output);
      if (output.type === 'layout') documents.layout(key, output);
      else if (output.type === 'standDown') documents.standDown(key);
      else if (output.type === 'madeLazy') documents.madeLazy(key, output);
      else if (!isPage) return;
      else if (output.type === 'pointed') {
        const { type: _, ...link } = output;
        if (originOf(link.page) === originOf(url)) links.pointed(link, tabId);
      } else if (output.type === 'measured') timings.measured(tabId, url, output.load, output.timing);
      else if (output.type === 'needed' && learning.mayRemember(url, tabId)) learning.learn(tabId, url, output);
    });
    documents.connected(key, content);
    if (isPage && learning.mayRemember(url, tabId)) send({ type: 'learn' });
    const timing = isPage ? timings.asked(tabId, url) : null;
    if (timing !== null) send({ type: 'measure', ...timing });
    const unlink = isPage ? links.connected(url, tabId, send) : null;
    // what a panel shows does not leave the browser: private windows have one too
    const leave = frameId === MAIN_FRAME ? inspectors.connected(tabId, send) : null;
  });
}
