import type { DocumentKey } from './gate.ts';

/** The frame of a tab's own document, by its id. */
export const MAIN_FRAME = 0;

export interface DocumentDetails {
  readonly documentId?: string | undefined;
  readonly tabId: number;
  readonly frameId: number;
}

/** Prefers the browser's document id, which changes with each navigation; the frame's place is what is left without one. */
export function documentKeyOf(details: DocumentDetails): DocumentKey {
  return details.documentId ?? `${details.tabId}:${details.frameId}`;
}
