import type { DocumentKey } from './gate.ts';

export interface DocumentDetails {
  readonly documentId?: string | undefined;
  readonly tabId: number;
  readonly frameId: number;
}

/** Prefers the browser's document id, which changes with each navigation; the frame's place is what is left without one. */
export function documentKeyOf(details: DocumentDetails): DocumentKey {
  return details.documentId ?? `${details.tabId}:${details.frameId}`;
}
