import { levelOf } from '../../../shared/src/fetching/fetchObject.ts';
import { afterOrigin, originOf } from '../../../shared/src/page/origin.ts';
import { importedBy, namedBy, referrerPolicyOf, type Foreseen, type Page } from '../../../shared/src/node/foresight/foreseen.ts';
import { predictedHeaders } from '../../../shared/src/node/foresight/predictedHeaders.ts';
import { valuesOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { readDocument, readSheet } from '../../../shared/src/node/reading/bodyReaders.ts';
import type { DecodedPeek } from '../../../shared/src/node/reading/contentDecoding.ts';
import { ContentPolicies } from '../../../shared/src/node/reading/contentPolicy.ts';
import type { PushKinds } from '../../../shared/src/relay/wire.ts';
import type { RequestHead } from './requestHead.ts';

/** A page's own server is asked for no more than this unasked, whatever its document names. */
const MAX_PUSHES = 60;

/** An object of a page as its browser will ask for it. */
export interface Push {
  readonly head: RequestHead;
  /** Reads the answer as it passes, where that names more. @param fields of the answer */
  readonly read: (status: number, fields: RawHeaders) => DecodedPeek | null;
}

/**
 * What the document of one page, and the style sheets that it names, name for certain, as requests of its browser: by the rules and the words of the helper's own foresight, so that the helper asks
 * for just the same. Only of the page's own server, whose cookies came with the request for the page.
 */
export class PagePushes {
  private readonly request: RequestHead;
  private readonly kinds: PushKinds;
  private readonly push: (push: Push) => void;
  private readonly wallNow: () => number;
  private readonly known = new Set<string>();

  /**
   * @param request for the page
   * @param push called with each, once
   * @param wallNow milliseconds
   */
  constructor(request: RequestHead, kinds: PushKinds, push: (push: Push) => void, wallNow: () => number) {
    [this.request, this.kinds, this.push, this.wallNow] = [request, kinds, push, wallNow];
  }

  /** @returns what reads the answer to the page's request; null for what is no page */
  read(status: number, fields: RawHeaders): DecodedPeek | null {
    const { origin, path, fields: request } = this.request;
    const url = `${origin}${path}`;
    const navigation = { url, request, setCookies: valuesOf(fields, 'set-cookie') };
    const page: Page = { navigation, policies: new ContentPolicies(url, valuesOf(fields, 'content-security-policy')), load: 0, startMs: 0, bypassesCache: false, unnamed: new Set() };
    const policy = referrerPolicyOf(fields);
    return readDocument(url, page.policies, status, fields, (found) => this.foresee(page, found.map((each) => namedBy(page, each, policy))));
  }

  private foresee(page: Page, objects: readonly Foreseen[]): void {
    for (const object of objects) {
      const head = this.headOf(page, object);
      if (head === null || this.known.has(object.url) || this.known.size >= MAX_PUSHES) continue;
      this.known.add(object.url);
      this.push({ head, read: (status, fields) => (object.kind === 'style' ? this.readSheet(page, object, status, fields) : null) });
    }
  }

  private readSheet(page: Page, { url, index }: Foreseen, status: number, fields: RawHeaders): DecodedPeek | null {
    const source = { url, referrerPolicy: referrerPolicyOf(fields), index };
    return readSheet(url, status, fields, (imports) => this.foresee(page, importedBy(page, source, imports)));
  }

  /** @returns null for what is not pushed, or what the browser will ask for in a way that is not known */
  private headOf(page: Page, object: Foreseen): RequestHead | null {
    const { url, kind, fetchClass } = object;
    const origin = originOf(url);
    if (origin !== this.request.origin || (kind === 'image' && this.kinds !== 'all')) return null;
    const fields = predictedHeaders(page.navigation, object, this.wallNow());
    return fields && { method: 'GET', origin, path: afterOrigin(url), level: levelOf({ fetchClass, isAwaited: false }), fields, encodings: this.request.encodings, rate: this.request.rate, dictionaries: [], have: this.request.have };
  }
}
