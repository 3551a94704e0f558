import type { NeededObject } from '../../../shared/src/memory/neededObject.ts';
import type { DocumentKey } from '../platform/gate.ts';
import { withoutFragment } from '../urls/imageUrls.ts';

/** Images that earlier visits showed in the first view, by the documents that are expected to show them again. */
export class ExpectedImages {
  /** What was not asked for yet; as many as the memory keeps for a page (MAX_NEEDED_OBJECTS). */
  private readonly urls = new Map<DocumentKey, Set<string>>();

  add(document: DocumentKey, objects: readonly NeededObject[]): void {
    const images = objects.filter(({ kind }) => kind === 'image').map(({ url }) => withoutFragment(url));
    if (images.length > 0) this.urls.set(document, new Set(images));
  }

  /** Whether the document is expected to show it in view; its next request for the same is like any other. */
  take(document: DocumentKey, url: string): boolean {
    return this.urls.get(document)?.delete(url) ?? false;
  }

  /** The document is gone. */
  forget(document: DocumentKey): void {
    this.urls.delete(document);
  }
}
