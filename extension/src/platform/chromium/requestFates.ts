import { literal, array, maxLength, pipe, safeParse, strictObject, string } from 'valibot';
import { documentKeyOf } from '../documentKey.ts';
import type { DocumentKey } from '../gate.ts';
import { withoutFragment } from '../../urls/imageUrls.ts';
import { MAX_FATE_URLS, type Fate, type FateQuestion } from './fateQuestion.ts';
import { RELEASE_MARKER } from './marker.ts';

const FateQuestionSchema = strictObject({ type: literal('fates'), urls: pipe(array(string()), maxLength(MAX_FATE_URLS)) });

interface DocumentFates {
  readonly heldMs: Map<string, number>;
  readonly releasedMs: Map<string, number>;
}

/**
 * Remembers, per document, which image requests were held and which went out. A page can not tell: a held image, one that the page's own
 * policy or another extension forbids, and one that the server does not have all fire the same `error`.
 */
export class RequestFates {
  private readonly documents = new Map<DocumentKey, DocumentFates>();

  /** Registers the listeners; call synchronously at the top level. */
  listen(): void {
    chrome.webRequest.onBeforeRequest.addListener(
      (details) => {
        if (details.tabId >= 0 && details.url.endsWith(RELEASE_MARKER)) this.of(documentKeyOf(details)).releasedMs.set(withoutFragment(details.url), details.timeStamp);
        return undefined;
      },
      { urls: ['http://*/*', 'https://*/*'], types: ['image'] },
    );
    chrome.runtime.onMessage.addListener((input: unknown, sender, respond: (fates: Fate[]) => void) => {
      const question = safeParse(FateQuestionSchema, input);
      if (!question.success || sender.tab?.id === undefined || sender.frameId === undefined) return;
      const { heldMs, releasedMs } = this.of(documentKeyOf({ documentId: sender.documentId, tabId: sender.tab.id, frameId: sender.frameId }));
      respond((question.output satisfies FateQuestion).urls.map((url) => ({ heldMs: heldMs.get(url) ?? null, releasedMs: releasedMs.get(url) ?? null })));
    });
  }

  held(document: DocumentKey, url: string, timeMs: number): void {
    this.of(document).heldMs.set(url, timeMs);
  }

  forget(document: DocumentKey): void {
    this.documents.delete(document);
  }

  private of(document: DocumentKey): DocumentFates {
    let fates = this.documents.get(document);
    if (fates === undefined) {
      fates = { heldMs: new Map(), releasedMs: new Map() };
      this.documents.set(document, fates);
    }
    return fates;
  }
}
