import { LRUCache } from 'lru-cache';
import type { ExpectedObject } from '../../../shared/src/memory/neededObject.ts';
import type { Discovered } from '../../../shared/src/node/reading/htmlScanner.ts';

/** Of all documents: a page tells of its visit some seconds after its document has come. */
const MAX_KEPT_CHARS = 4 * 1024 * 1024;

type Names = ReadonlySet<string>;

/** Hears what one document names while it is read, and holds it against what is remembered of its page. */
export interface NamesReader {
  /** What an earlier visit's document named and this one does not; empty until it has been read all through. */
  readonly unnamed: Names;
  /** @param isWhole nothing more comes, and all was read */
  read(found: readonly Pick<Discovered, 'url'>[], isWhole: boolean): void;
}

/**
 * What documents themselves name, from visit to visit. What the document of a page named at one visit and no longer
 * names at the next is no part of the page any more; the same reader has to see both, to its end. Of what style sheets
 * and scripts bring a document says nothing.
 */
export class DocumentNames {
  /** By the URL of a document that was read all through. */
  private readonly documents = new LRUCache<string, Names>({ maxSize: MAX_KEPT_CHARS, sizeCalculation: charsOf });

  /** Whether the document of this URL, as it came the last time, named this object; undefined where it was not read all through. */
  hasNamed(documentUrl: string, url: string): boolean | undefined {
    return this.documents.get(documentUrl)?.has(url);
  }

  /** A document is asked for. @param expected of its page */
  reader(documentUrl: string, expected: readonly ExpectedObject[]): NamesReader {
    const [names, unnamed] = [new Set<string>(), new Set<string>()];
    return {
      unnamed,
      read: (found, isWhole) => {
        for (const { url } of found) names.add(url);
        if (!isWhole) {
          this.documents.delete(documentUrl);
          return;
        }
        this.documents.set(documentUrl, names);
        for (const { url, isNamed } of expected) if (isNamed && !names.has(url)) unnamed.add(url);
      },
    };
  }
}

function charsOf(names: Names): number {
  // lru-cache takes no size of zero
  return [...names].reduce((chars, name) => chars + name.length, 1);
}
