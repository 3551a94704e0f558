import * as v from 'valibot';
import { MAX_NEEDED_OBJECTS, type NeededObject } from './neededObject.ts';
import { NeededObjectSchema } from './neededObjectSchema.ts';
import { pageKeys } from './pageKey.ts';
import { NO_VISITS, afterVisit, expectedOf, type VisitRecord } from './visitRecord.ts';

/** Pages, and as many templates; the one that was visited longest ago is forgotten first. */
const MAX_PAGES = 500;
/** So many visits to pages of a template tell what all of them have in common. */
const MIN_TEMPLATE_VISITS = 2;
const VERSION = 1;

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const RecordSchema = v.strictObject({
  visits: count,
  objects: v.pipe(v.array(v.strictObject({ ...NeededObjectSchema.entries, score: share })), v.maxLength(MAX_NEEDED_OBJECTS)),
  trust: v.strictObject({ style: share, script: share, font: share, image: share }),
});
const records = v.pipe(v.array(v.tuple([v.string(), RecordSchema])), v.maxLength(MAX_PAGES));
const StoredSchema = v.strictObject({ version: v.literal(VERSION), pages: records, templates: records });

/** What PageMemory is stored as. */
export type StoredMemory = v.InferOutput<typeof StoredSchema>;

/**
 * Which objects the first screens of pages needed, so that a next visit need not wait until they are found (issue 3, earlier discovery). It tells where somebody has been: it
 * is bounded, has no queries, and can be erased, whole or by site.
 */
export class PageMemory {
  private readonly pages: Map<string, VisitRecord>;
  private readonly templates: Map<string, VisitRecord>;

  private constructor(pages: Iterable<readonly [string, VisitRecord]>, templates: Iterable<readonly [string, VisitRecord]>) {
    this.pages = new Map(pages);
    this.templates = new Map(templates);
  }

  static empty(): PageMemory {
    return new PageMemory([], []);
  }

  /** @returns null when it is not what `stored` gave: it is not worth more than to be forgotten */
  static restore(input: unknown): PageMemory | null {
    const stored = v.safeParse(StoredSchema, input, { abortEarly: true });
    return stored.success ? new PageMemory(stored.output.pages, stored.output.templates) : null;
  }

  stored(): StoredMemory {
    const plain = (all: ReadonlyMap<string, VisitRecord>): StoredMemory['pages'] => [...all].map(([key, { visits, objects, trust }]) => [key, { visits, objects: [...objects], trust }]);
    return { version: VERSION, pages: plain(this.pages), templates: plain(this.templates) };
  }

  /** A page was shown, and its first screen needed these. What carries a query other than a version is not kept: it may be about the visitor, and is rarely asked for again as it was. */
  visited(url: string, needed: readonly NeededObject[]): void {
    const { page, template } = pageKeys(url);
    const kept = needed.filter((object) => v.is(NeededObjectSchema, object) && isKept(object.url));
    remember(this.pages, page, kept);
    remember(this.templates, template, kept);
  }

  /** What a visit to this page is expected to need; empty when nothing is known. */
  expected(url: string): NeededObject[] {
    const { page, template } = pageKeys(url);
    const known = this.pages.get(page);
    if (known !== undefined) return expectedOf(known);
    const alike = this.templates.get(template);
    return alike !== undefined && alike.visits >= MIN_TEMPLATE_VISITS ? expectedOf(alike) : [];
  }

  /** @param host as in a URL; nothing of its pages stays, nor of objects of it that other pages needed */
  forgetSite(host: string): void {
    const isOfSite = (url: string): boolean => new RegExp(`^[a-z]+://([^/]*\\.)?${host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(:\\d+)?/`, 'i').test(`${url}/`);
    for (const all of [this.pages, this.templates]) {
      for (const [key, record] of all) {
        if (isOfSite(key)) all.delete(key);
        else all.set(key, { ...record, objects: record.objects.filter(({ url }) => !isOfSite(url)) });
      }
    }
  }

  forgetAll(): void {
    this.pages.clear();
    this.templates.clear();
  }
}

/** A version, as many sites put behind a file's name, says nothing of the visitor. */
const VERSION_QUERY = /^\?(v|ver|version|rev|build|hash)=[\w.-]{1,40}$/i;

function isKept(url: string): boolean {
  const match = /^https?:\/\/[^?#]+(\?[^#]*)?$/i.exec(url);
  return match !== null && (match[1] === undefined || VERSION_QUERY.test(match[1]));
}

function remember(all: Map<string, VisitRecord>, key: string, needed: readonly NeededObject[]): void {
  const record = afterVisit(all.get(key) ?? NO_VISITS, needed);
  // the last one visited goes to the end, so that the first is the one to forget
  all.delete(key);
  all.set(key, record);
  for (const oldest of all.keys()) if (all.size > MAX_PAGES) all.delete(oldest);
}
