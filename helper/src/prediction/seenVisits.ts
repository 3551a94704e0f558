import { LRUCache } from 'lru-cache';
import type { NeededKind, SeenDocument, SeenObject, SeenRequest, ToldVisit, Visit } from '../../../shared/src/memory/neededObject.ts';
import { originOf } from '../../../shared/src/page/origin.ts';
import type { BrowserCache } from './browserCache.ts';
import type { DocumentNames } from './documentNames.ts';
import { asOfPage, partitionOfObject } from './rememberedRequests.ts';

const MAX_OBSERVED = 2_000;

/** How something has come. */
interface Observed {
  readonly request: SeenRequest;
  /** As what it was asked for; null where that is not said. */
  readonly kind: NeededKind | null;
  readonly document: SeenDocument;
}

/** What has come for the browser lately: of a visit it says what the page itself can not tell. */
export class SeenVisits {
  private readonly cache: Pick<BrowserCache, 'until'>;
  private readonly names: Pick<DocumentNames, 'hasNamed'>;
  private readonly isClosed: (origin: string) => boolean;
  /** By URL. */
  private readonly observed = new LRUCache<string, Observed>({ max: MAX_OBSERVED });
  /** URLs of documents that are on their way, or were broken off on it. */
  private readonly unfinished = new LRUCache<string, true>({ max: MAX_OBSERVED });

  /** @param isClosed whether the browser asks this server in tunnels, of which nobody sees what is asked */
  constructor(cache: SeenVisits['cache'], names: SeenVisits['names'], isClosed: SeenVisits['isClosed']) {
    [this.cache, this.names, this.isClosed] = [cache, names, isClosed];
  }

  /** A document is asked for. */
  begun(url: string): void {
    this.unfinished.set(url, true);
  }

  /** An answer has come to its end. @param observed null where it says nothing of its object */
  ended(url: string, observed: Observed | null): void {
    this.unfinished.delete(url);
    if (observed !== null) this.observed.set(url, observed);
  }

  /** Whether the document of a page has begun to come, and not to its end. */
  isCutOff(pageUrl: string): boolean {
    return this.unfinished.has(pageUrl);
  }

  /**
   * With what a page can not tell of it: how each object was asked for, and came. What has not been seen to come the
   * browser had: that is as it was remembered, but not of servers that are closed by now.
   *
   * @param known what is remembered of the page; of an object the last one counts
   */
  withObserved(visit: ToldVisit, known: readonly SeenObject[]): Omit<Visit, 'addresses'> {
    const remembered = new Map(known.map((object) => [object.url, object]));
    const objects = visit.objects.flatMap((object): SeenObject[] => {
      if (this.isClosed(originOf(object.url))) return [];
      const before = remembered.get(object.url);
      const seen = this.observedOf(visit, object.url) ?? before;
      if (seen === undefined) return [];
      // a page may use one file in two ways, as a style sheet and a script: the second has it from the cache
      const { bytes, request, kind } = seen;
      const cached = this.cache.until(partitionOfObject(visit.url, request), object.url, before?.cached ?? null);
      return [{ ...object, kind: kind ?? object.kind, bytes, request, cached, isNamed: this.names.hasNamed(visit.url, object.url) ?? before?.isNamed === true }];
    });
    return { ...visit, objects, document: this.observed.get(visit.url)?.document ?? null };
  }

  /** How an object of this visit has come; null where it has not, or for another page. */
  private observedOf(visit: ToldVisit, url: string): (Pick<SeenObject, 'bytes' | 'request'> & Pick<Observed, 'kind'>) | null {
    const observed = this.observed.get(url);
    const request = observed === undefined ? null : asOfPage(observed.request, visit);
    return observed === undefined || request === null ? null : { bytes: observed.document.bytes, request, kind: observed.kind };
  }
}
