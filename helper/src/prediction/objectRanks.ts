import { LRUCache } from 'lru-cache';
import { estimateImageBytes } from '../../../shared/src/estimation/bytes.ts';
import { ObjectSizes, type FirstMeans } from '../../../shared/src/estimation/objectSizes.ts';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import type { ImageRank } from '../../../shared/src/page/documentModel.ts';
import { MAX_RANKED, RankClass } from '../../../shared/src/scheduling/rank.ts';
import { lengthOf } from '../../../shared/src/node/http/contentLength.ts';
import { valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import type { UpstreamRequest } from '../upstream/fetch.ts';
import { isPrefetch } from './browserRequest.ts';

const CLASS_OF: Readonly<Record<RankClass, FetchClass>> = {
  [RankClass.inView]: FetchClass.inView,
  [RankClass.unplaced]: FetchClass.unplaced,
  [RankClass.offScreen]: FetchClass.offScreen,
  [RankClass.undisplayed]: FetchClass.undisplayed,
};
const MAX_STYLE_SHEETS = 1_000;
/**
 * Of layout files on the recorded pages, rounded; names without an end are mostly of scripts that answer with a line.
 */
const LAYOUT_SIZES: FirstMeans = { css: 8_000, js: 12_000, html: 16_000, htm: 16_000, woff: 20_000, woff2: 20_000, '': 4_000 };

/** What is known of objects by their URLs: where their page has them, and what images of their kind have weighed. */
export class ObjectRanks {
  private readonly known = new LRUCache<string, { readonly fetchClass: FetchClass; readonly index: number; readonly pixels: number | null }>({ max: MAX_RANKED });
  /** Whom a new class of an object concerns, by its URL. */
  private readonly watchers = new Map<string, (fetchClass: FetchClass) => void>();
  private readonly sizes = new ObjectSizes();
  private readonly layoutSizes = new ObjectSizes(LAYOUT_SIZES);
  private readonly styleSheets = new LRUCache<string, true>({ max: MAX_STYLE_SHEETS });
  private requests = 0;

  /** Images stand so in their document now. */
  ranked(images: readonly ImageRank[]): void {
    for (const { url, rankClass, order: index, pixels } of images) {
      const fetchClass = CLASS_OF[rankClass];
      const hasChanged = this.known.peek(url)?.fetchClass !== fetchClass;
      this.known.set(url, { fetchClass, index, pixels });
      if (hasChanged) this.watchers.get(url)?.(fetchClass);
    }
  }

  /** From now on a new class of this object is told; the last call counts. @returns ends it */
  watch(url: string, ranked: (fetchClass: FetchClass) => void): () => void {
    this.watchers.set(url, ranked);
    return () => {
      if (this.watchers.get(url) === ranked) this.watchers.delete(url);
    };
  }

  /** An answer's fields are there: its length says what to expect of others like it. */
  answered(url: string, request: RawHeaders, response: RawHeaders): void {
    const length = lengthOf(response);
    if (length !== null) (isImage(request) ? this.sizes : this.layoutSizes).learn(url, length);
  }

  /**
   * What a request is for: an image by its rank, or else in the order of asking; everything else is a layout file (NSF
   * report, section VI). What a style sheet names has no element that could be ranked, and browsers ask for it only
   * when a box is drawn with it, so it counts as in view.
   */
  describe(url: string, headers: RawHeaders): Pick<UpstreamRequest, 'fetchClass' | 'isImage' | 'index' | 'bytes'> {
    const index = this.requests++;
    if (valueOf(headers, 'sec-fetch-dest') === 'style') this.styleSheets.set(url, true);
    // for a page that nobody has asked for yet (HTML, section 4.6.7.15)
    if (isPrefetch(headers)) return { fetchClass: FetchClass.undisplayed, index, bytes: this.layoutSizes.expected(url) };
    if (!isImage(headers)) return { fetchClass: FetchClass.layout, index, bytes: this.layoutSizes.expected(url) };
    const isOfStyleSheet = this.styleSheets.peek(valueOf(headers, 'referer') ?? '') === true;
    const unranked = isOfStyleSheet ? FetchClass.inView : FetchClass.unplaced;
    const known = this.known.peek(url) ?? { fetchClass: unranked, index, pixels: null };
    // by the lengths that have come since its page has told of it
    return { fetchClass: known.fetchClass, isImage: true, index: known.index, bytes: estimateImageBytes(url, known.pixels, this.sizes.expected(url)) };
  }
}

/** Browsers say what they want an image for (Fetch, "fetch destination"); over plain HTTP only by what they accept. */
function isImage(headers: RawHeaders): boolean {
  return valueOf(headers, 'sec-fetch-dest') === 'image' || /^image\//.test(valueOf(headers, 'accept') ?? '');
}
