import { levelOf } from '../../../shared/src/fetching/fetchObject.ts';
import { afterOrigin, originOf } from '../../../shared/src/page/origin.ts';
import { importedBy, namedBy, referrerPolicyOf, type Foreseen, type Page } from '../../../shared/src/node/foresight/foreseen.ts';
import { siteOf } from '../../../shared/src/node/foresight/siteOf.ts';
import { predictedHeaders } from '../../../shared/src/node/foresight/predictedHeaders.ts';
import { valueOf, valuesOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { cookieOf } from '../../../shared/src/node/http/requestFields.ts';
import { readDocument, readSheet } from '../../../shared/src/node/reading/bodyReaders.ts';
import type { DecodedPeek } from '../../../shared/src/node/reading/contentDecoding.ts';
import { ContentPolicies } from '../../../shared/src/node/reading/contentPolicy.ts';
import type { Room } from '../../../shared/src/node/reading/room.ts';
import type { PushKinds, Servers } from '../../../shared/src/relay/wire.ts';
import type { RequestHead } from './requestHead.ts';
import { urgencyOf } from './urgency.ts';

/** A page's servers are asked for no more than this unasked, whatever its document names. */
const MAX_PUSHES = 60;
/** After which a browser asks for the page elsewhere (RFC 9110, section 15.4). */
const REDIRECTIONS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Others are connected to before they are asked. */
const MAX_SERVERS = 6;

/** An object of a page as its browser will ask for it. */
export interface Push {
  readonly head: RequestHead;
  /** Reads the answer as it passes, where that names more. @param fields of the answer */
  readonly read: (status: number, fields: RawHeaders) => DecodedPeek | null;
}

/** What its helper wants. */
interface PushTerms {
  readonly kinds: PushKinds;
  /** Others that it has asked by this relay, and not in tunnels; null for none. */
  readonly servers: Servers | null;
}

/** What is done about a page's objects. */
export interface PushHost {
  /** Called with each, once. @returns whether it is pushed: what the browser has had lately is not */
  readonly push: (push: Push) => boolean;
  /** A server is likely to be asked soon. */
  readonly connect: (origin: string) => void;
  /** Of documents and style sheets, as `DecodedPeek` has it. */
  readonly room: Room;
  /** Milliseconds. */
  readonly wallNow: () => number;
}

/**
 * What the document of one page, and the style sheets that it names, name for certain, as requests of its browser: by the rules and the words of the helper's own foresight, so that the helper asks
 * for just the same. Of the page's own server, whose cookies came with the request for the page; and, where there were none, layout files of its site's others. All other servers are connected to: what a
 * browser asks them, and with which cookies, is the helper's to know.
 */
export class PagePushes {
  private readonly request: RequestHead;
  private readonly terms: PushTerms;
  private readonly host: PushHost;
  private readonly pushed = new Set<string>();
  private readonly servers = new Set<string>();

  /** @param request for the page */
  constructor(request: RequestHead, terms: PushTerms, host: PushHost) {
    [this.request, this.terms, this.host] = [request, terms, host];
  }

  /** @returns what reads the answer to the page's request; null for what is no page */
  read(status: number, fields: RawHeaders): DecodedPeek | null {
    const { origin, path, fields: request } = this.request;
    const url = `${origin}${path}`;
    const elsewhere = REDIRECTIONS.has(status) ? URL.parse(valueOf(fields, 'location') ?? '', url) : null;
    if (elsewhere !== null && /^https?:$/.test(elsewhere.protocol)) this.connectTo(elsewhere.origin);
    const navigation = { url, request, answer: fields };
    const page: Page = { navigation, policies: new ContentPolicies(url, valuesOf(fields, 'content-security-policy')), load: 0, startMs: 0, bypassesCache: false, unnamed: new Set() };
    const policy = referrerPolicyOf(fields);
    return readDocument(url, page.policies, status, fields, (found) => this.foresee(page, found.map((each) => namedBy(page, each, policy))), this.host.room);
  }

  private foresee(page: Page, objects: readonly Foreseen[]): void {
    for (const object of objects) {
      if (object.kind === 'image' && this.terms.kinds !== 'all') continue;
      const head = this.headOf(page, object);
      if (head === null) this.connectTo(originOf(object.url));
      if (head === null || this.pushed.has(object.url) || this.pushed.size >= MAX_PUSHES) continue;
      const isPushed = this.host.push({ head, read: (status, fields) => (object.kind === 'style' ? this.readSheet(page, object, status, fields) : null) });
      if (isPushed) this.pushed.add(object.url);
    }
  }

  private isOfSite(origin: string): boolean {
    return siteOf(origin) === siteOf(this.request.origin);
  }

  /** Where the page is now, or a style sheet of it, names another server. */
  connectTo(origin: string): void {
    // it hears nothing of the page: only that the relay is there
    const isRelayed = this.terms.servers === 'all' || (this.terms.servers === 'site' && this.isOfSite(origin));
    if (!isRelayed || origin === this.request.origin || this.servers.has(origin) || this.servers.size >= MAX_SERVERS) return;
    this.servers.add(origin);
    this.host.connect(origin);
  }

  private readSheet(page: Page, { url, index }: Foreseen, status: number, fields: RawHeaders): DecodedPeek | null {
    const source = { url, referrerPolicy: referrerPolicyOf(fields), index };
    return readSheet(url, status, fields, (imports) => this.foresee(page, importedBy(page, source, imports)), this.host.room);
  }

  /** @returns null for what is not pushed, or what the browser will ask for in a way that is not known */
  private headOf(page: Page, object: Foreseen): RequestHead | null {
    const { url, kind, fetchClass, expectedPriority } = object;
    const [origin, { navigation }] = [originOf(url), page];
    const isOwn = origin === this.request.origin;
    // a browser that has no cookies for the page will hardly have any for the others of its site, before scripts set some: images it asks for later
    const isWithoutCookies = cookieOf(navigation.request) === null && valueOf(navigation.answer, 'set-cookie') === null && kind !== 'image';
    if (!isOwn && !(this.terms.servers !== null && this.isOfSite(origin) && isWithoutCookies)) return null;
    const fields = predictedHeaders(navigation, object, this.host.wallNow(), ...(isOwn ? [] : ([null, 'same-site'] as const)));
    return fields && { method: 'GET', origin, path: afterOrigin(url), level: levelOf({ fetchClass, isAwaited: false }), urgency: urgencyOf(fields, expectedPriority), fields, encodings: this.request.encodings, rate: this.request.rate, dictionaries: [], have: this.request.have };
  }
}
