import * as v from 'valibot';
import { dayOf } from './cachedUntil.ts';
import { MAX_NEEDED_OBJECTS, NOTHING_EXPECTED, type Expected, type Known, type SeenObject, type Visit } from './neededObject.ts';
import { HostAddressesSchema, NEEDS_ENTRIES, OriginSchema, SeenDocumentSchema, SeenObjectSchema } from './neededObjectSchema.ts';
import { originOf } from '../page/origin.ts';
import { isTooOld } from './ageLimit.ts';
import { pageKeys } from './pageKey.ts';
import { isOfPicture } from './pictureQuery.ts';
import { hasSecretPath, hasSecretQuery, isSingleUse } from './secretUrl.ts';
import { NO_VISITS, afterVisit, expectedOf, type Learnt, type VisitRecord } from './visitRecord.ts';

/** Pages, and as many templates; the one that was visited longest ago is forgotten first. */
const MAX_PAGES = 500;
/** So many visits to pages of a template tell what all of them have in common. */
const MIN_TEMPLATE_VISITS = 2;
/**
 * Up to 4 servers were kept that pages name and nobody has asked, up to 5 addresses that are good once, up to 6 titles as
 * `*`, where nobody who erases them would find them.
 */
const VERSION = 7;
/** Of all that is stored. */
const MAX_STORED_CHARS = 4 * 1024 * 1024;

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const RecordSchema = v.strictObject({
  visits: count,
  day: count,
  objects: v.pipe(v.array(v.strictObject({ ...SeenObjectSchema.entries, score: share })), v.maxLength(MAX_NEEDED_OBJECTS)),
  origins: NEEDS_ENTRIES.origins,
  document: SeenDocumentSchema,
  // a file of before has none
  addresses: v.optional(HostAddressesSchema, []),
  trust: v.strictObject({ style: share, script: share, font: share, image: share }),
});
const records = v.pipe(v.array(v.tuple([v.string(), RecordSchema])), v.maxLength(MAX_PAGES));
const StoredSchema = v.strictObject({ version: v.literal(VERSION), forgottenMs: v.pipe(v.number(), v.finite()), pages: records, templates: records });

/** What PageMemory is stored as. */
export type StoredMemory = v.InferOutput<typeof StoredSchema>;

/** What is remembered of a site, for whoever wants to see or forget it. */
export interface RememberedSite {
  readonly site: string;
  /** Addresses; where only kinds of pages are left of it, the number of these. */
  readonly pages: number;
  /** Of the last visit: days since 1970, wall clock. */
  readonly lastDay: number;
}

/**
 * Which objects the first screens of pages needed, so that a next visit need not wait until they are found (issue 3,
 * earlier discovery). It tells where somebody has been: it is bounded in number, bytes and age, has neither queries nor
 * what looks like a secret, and can be erased, whole, by site or by page.
 *
 * Times are milliseconds of the wall clock.
 */
export class PageMemory {
  private readonly pages: Map<string, VisitRecord>;
  private readonly templates: Map<string, VisitRecord>;
  /** When something was erased last: what was learnt before then, and is not in here, was erased too. */
  forgottenMs: number;

  private constructor(pages: Iterable<readonly [string, VisitRecord]>, templates: Iterable<readonly [string, VisitRecord]>, forgottenMs: number) {
    this.pages = new Map(pages);
    this.templates = new Map(templates);
    this.forgottenMs = forgottenMs;
  }

  static empty(): PageMemory {
    return new PageMemory([], [], 0);
  }

  /** @returns null when it is not what `stored` gave: it is not worth more than to be forgotten */
  static restore(input: unknown): PageMemory | null {
    const stored = v.safeParse(StoredSchema, input, { abortEarly: true });
    if (!stored.success) return null;
    const { pages, templates, forgottenMs } = stored.output;
    return new PageMemory(pages, templates, forgottenMs);
  }

  /** Addresses of pages that are known. */
  get pageCount(): number {
    return this.pages.size;
  }

  /** Without what was visited longest ago when all would be too much. */
  stored(): StoredMemory {
    let room = MAX_STORED_CHARS;
    const plain = (all: ReadonlyMap<string, VisitRecord>): StoredMemory['pages'] =>
      [...all]
        .reverse()
        .map(([key, { objects, origins, addresses, ...rest }]): StoredMemory['pages'][number] => [key, { ...rest, objects: [...objects], origins: [...origins], addresses: [...addresses] }])
        .filter((record) => (room -= JSON.stringify(record).length) >= 0)
        .reverse();
    return { version: VERSION, forgottenMs: this.forgottenMs, pages: plain(this.pages), templates: plain(this.templates) };
  }

  /**
   * A page was shown, and its first screen needed these. What carries a query other than of a version, or of how a
   * picture is made, is not kept: it may be about the visitor, and is rarely asked for again as it was. Nor is a page that will not be asked for again, or of
   * which nothing is known that would help.
   */
  visited({ url, asked, objects, origins: servers, document, addresses }: Visit, nowMs: number): void {
    // whoever forgets a site would not find what has no host (blob:)
    if (!/^https?:/i.test(url) || isSingleUse(url)) return;
    const { page, template } = pageKeys(url);
    const origins = servers.filter((origin) => v.is(OriginSchema, origin));
    const kept = objects.filter((object) => v.is(SeenObjectSchema, object) && (isKept(object.url) || isPublic(object) || (object.kind === 'image' && isOfPicture(object.url)))).map(withoutSecrets);
    if (kept.length === 0 && origins.length === 0 && !this.pages.has(page)) return;
    const learnt: Learnt = { objects: kept, origins, document, addresses };
    remember(this.pages, page, learnt, dayOf(nowMs));
    remember(this.templates, template, learnt, dayOf(nowMs));
    // whose objects go by the page's own address
    const { page: redirected } = pageKeys(asked);
    if (redirected !== page && !isSingleUse(asked)) remember(this.pages, redirected, { ...learnt, objects: [] }, dayOf(nowMs));
  }

  /** What a visit to this page is expected to need, and of servers also to where it redirects; empty when nothing is known. */
  expected(url: string): Expected {
    const { page, template } = pageKeys(url);
    const known = this.pages.get(page);
    if (known !== undefined) return expectedOf(known);
    const alike = this.templates.get(template);
    return alike !== undefined && alike.visits >= MIN_TEMPLATE_VISITS ? expectedOf(alike) : NOTHING_EXPECTED;
  }

  /** All that pages like this one and this one itself have needed, expected or not; what comes later counts. */
  known(url: string): Known {
    const { page, template } = pageKeys(url);
    const records = [this.templates.get(template), this.pages.get(page)].filter((record) => record !== undefined);
    return { objects: records.flatMap(({ objects }) => objects).map(({ score: _, ...object }) => object), origins: records.flatMap(({ origins }) => origins) };
  }

  /** By which address a host was reached last; null where no page that is known needed it. @param host its name, without the dot of the root */
  addressOf(host: string): string | null {
    for (const all of [this.pages, this.templates]) {
      for (const { addresses } of [...all.values()].reverse()) {
        const known = addresses.find((each) => each.host === host);
        if (known !== undefined) return known.address;
      }
    }
    return null;
  }

  /** What is known, by site, the last visited first. @param siteOf of an address; null for what has none */
  sites(siteOf: (url: string) => string | null): RememberedSite[] {
    const sites = new Map<string, { pages: number; kinds: number; lastDay: number }>();
    const count = (all: ReadonlyMap<string, VisitRecord>, what: 'pages' | 'kinds'): void => {
      for (const [key, { day }] of all) {
        const site = siteOf(key);
        if (site === null) continue;
        const known = sites.get(site) ?? { pages: 0, kinds: 0, lastDay: 0 };
        sites.set(site, { ...known, [what]: known[what] + 1, lastDay: Math.max(known.lastDay, day) });
      }
    };
    count(this.pages, 'pages');
    count(this.templates, 'kinds');
    return [...sites]
      .map(([site, { pages, kinds, lastDay }]) => ({ site, pages: pages || kinds, lastDay }))
      .sort((a, b) => b.lastDay - a.lastDay || (a.site < b.site ? -1 : 1));
  }

  forgetAll(nowMs: number): void {
    this.forgottenMs = nowMs;
    this.pages.clear();
    this.templates.clear();
  }

  /** @param host as in a URL; nothing of its pages stays, nor of objects of it that other pages needed */
  forgetSite(host: string, nowMs: number): void {
    this.forgottenMs = nowMs;
    const ofSite = new RegExp(`^[a-z]+://([^/]*\\.)?${host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(:\\d+)?/`, 'i');
    const isOfSite = (url: string): boolean => ofSite.test(`${url}/`);
    for (const all of [this.pages, this.templates]) {
      for (const [key, record] of all) {
        if (isOfSite(key)) all.delete(key);
        else all.set(key, { ...record, objects: record.objects.filter(({ url, request }) => !isOfSite(url) && !isOfSite(request.referrer ?? '')), origins: record.origins.filter((origin) => !isOfSite(origin)), addresses: record.addresses.filter((known) => !isOfSite(`http://${known.host}`)) });
      }
    }
  }

  /**
   * These pages, and what is known of their kinds: which of a kind's visits were theirs nobody knows. An address stands
   * for those that differ from it by what is not kept, as in their queries, and by http: and https:, of which one leads
   * to the other.
   */
  forgetPages(urls: readonly string[], nowMs: number): void {
    this.forgottenMs = nowMs;
    for (const url of urls) {
      for (const scheme of ['http:', 'https:']) {
        const { page, template } = pageKeys(url.replace(/^https?:/i, scheme));
        this.pages.delete(page);
        this.templates.delete(template);
      }
    }
  }

  /** @returns whether there was anything that has become too old */
  forgetOld(nowMs: number): boolean {
    let hasForgotten = false;
    for (const all of [this.pages, this.templates]) for (const [key, { day }] of all) if (isTooOld(day, nowMs)) hasForgotten = all.delete(key);
    return hasForgotten;
  }
}

/**
 * A version, as many sites put behind a file's name, says nothing of the visitor; nor does, without a name, a word of
 * eight letters or the hash of a build (SHA-1 at most), which is kept in a path as well.
 */
const VERSION_QUERY = /^\?(?:(v|ver|version|rev|build|hash)=[\w.-]{1,40}|[\w.-]{1,8}|[\da-f]{1,40})$/i;
/** Files that a server puts into one, as they stand behind `??` (Tengine, nginx-http-concat). */
const FILE_LIST = /^\?\?[\w./-]+\.(?:css|js)(?:,[\w./-]+\.(?:css|js))*$/i;

/** Neither is what has a name and password in it, nor what is not of the web. */
function isKept(url: string): boolean {
  const match = /^https?:\/\/[^/?#@]+(?:\/[^?#]*)?(\?[^#]*)?$/i.exec(url);
  if (match === null || hasSecretPath(url)) return false;
  const [, query] = match;
  return query === undefined || VERSION_QUERY.test(query) || (FILE_LIST.test(query) && !hasSecretPath(`${originOf(url)}/${query.slice(2)}`));
}

/** Of a style sheet's address that is not kept its server is enough: it is what a browser names to other servers. */
function withoutSecrets(object: SeenObject): SeenObject {
  const { request } = object;
  if (!request.referrer || isKept(request.referrer)) return object;
  return { ...object, request: { ...request, referrer: `${originOf(request.referrer)}/` } };
}

/** Fonts and style sheets of another site are the same for everybody when they are asked for without cookies, as those of Google Fonts. */
function isPublic({ url, kind, request: { site, hasCookies } }: SeenObject): boolean {
  return (kind === 'style' || kind === 'font') && site === 'cross-site' && !hasCookies && /^https?:\/\/[^/?#@]+[/?][^#]*$/i.test(url) && !hasSecretQuery(url);
}

function remember(all: Map<string, VisitRecord>, key: string, learnt: Learnt, day: number): void {
  const record = afterVisit(all.get(key) ?? NO_VISITS, learnt, day);
  // the last one visited goes to the end, so that the first is the one to forget
  all.delete(key);
  all.set(key, record);
  for (const oldest of all.keys()) if (all.size > MAX_PAGES) all.delete(oldest);
}
