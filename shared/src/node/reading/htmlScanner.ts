import { referrerPolicyNamed, referrerPolicyOfMeta } from '../../page/referrerPolicy.ts';
import type { ContentPolicies } from './contentPolicy.ts';
import { elementFetches, FETCH_ATTRIBUTES, NO_CORS, type ElementFetch } from './elementFetches.ts';
import { HtmlTags, type StartTag } from './htmlTags.ts';
import { linkedElements } from './linkFields.ts';
import { matchesEveryScreen } from './mediaQueries.ts';
import { resolveFetchUrl } from './fetchUrls.ts';
import { ScriptEscape } from './scriptEscape.ts';
import { sheetImports } from './sheetImports.ts';

/** Something that the browser is certain to ask for. */
export interface Discovered extends Required<Omit<ElementFetch, 'href'>> {
  /** Absolute, http: or https:, without fragment. */
  readonly url: string;
  /**
   * Of the element, or else of a `<meta name=referrer>` before it, in lower case; null for the document's own, which
   * its header fields may set.
   */
  readonly referrerPolicy: string | null;
  /** The document has named an image before it: browsers take a script there for one of the end of the page. */
  readonly isBehindImages: boolean;
}

export interface ScannedDocument {
  /** Of the answer: after redirects. */
  readonly url: string;
  /**
   * Whether it is read as UTF-8. In other documents a query with letters beyond ASCII is encoded in another way (URL,
   * section 4.3), so such URLs are not certain.
   */
  readonly isUtf8: boolean;
  /** Of its header fields; those of its `<meta>` elements are added as they come. */
  readonly policies: ContentPolicies;
  /** Values of the Link fields of its answer; none by default. */
  readonly links?: readonly string[];
}

const MAX_SCANNED_CHARS = 8 * 1024 * 1024;
const MAX_DISCOVERED = 1_000;
/** Of one inline style sheet: imports stand at its very beginning. */
const MAX_STYLE_CHARS = 16 * 1024;

const ATTRIBUTES: ReadonlySet<string> = new Set([...FETCH_ATTRIBUTES, 'content', 'http-equiv', 'name', 'referrerpolicy']);
/** Their contents are no part of the page: `noscript` where scripts run, `template` always. */
const INERT: ReadonlySet<string> = new Set(['noscript', 'template']);
/** What is in them is fetched by rules of its own, or (`image`) may be drawn elsewhere. */
const FOREIGN: ReadonlySet<string> = new Set(['svg', 'math']);

/**
 * Reads a document's HTML as it arrives, and names what the browser will ask for without any doubt: what its own
 * preload scanner and parser fetch whatever the window's size, whatever scripts do later, under the URL that it will
 * ask for (`ContentPolicies.upgraded`). Where it can not be sure (inert or foreign contents, policies that do not
 * clearly allow a request, URLs that the browser may change) it names nothing: what it leaves out costs nothing, what
 * it names in vain costs bytes.
 *
 * Held against what browsers asked for, over pages made at random of 65 pieces like those of the tests: Chromium 156
 * (600 pages) and Firefox 153 (200 pages) asked for everything that was named. They ask besides for `srcset`,
 * `<picture>`, lazy images in view, and, when there is time, for style sheets that are for paper or alternate.
 */
export class HtmlScanner {
  private readonly document: ScannedDocument;
  private readonly tags: HtmlTags;
  private readonly seen = new Set<string>();
  /** How many of each are open. */
  private readonly open = new Map<string, number>();
  private baseUrl: string;
  private hasBase = false;
  private hasBody = false;
  private hasImage = false;
  private referrerPolicy: string | null = null;
  /** The open `<picture>` has a source, which may win over its image. */
  private hasSource = false;
  /** Of the script that is open. */
  private script: ScriptEscape | null = null;
  private style: { text: string; readonly isWanted: boolean } | null = null;
  private scannedChars = 0;
  private isStopped = false;
  private found: Discovered[] = [];

  constructor(document: ScannedDocument) {
    this.document = document;
    this.baseUrl = document.url;
    this.tags = new HtmlTags(
      {
        opened: (tag) => this.opened(tag),
        closed: (name) => this.closed(name),
        text: (text) => this.text(text),
        isInForeignContent: () => this.isIn(FOREIGN),
      },
      ATTRIBUTES,
    );
    for (const element of linkedElements(document.links ?? [])) this.fetchFor(element);
  }

  /** Whether all that has come was read, under policies that can be judged: what it has not named is not there to be named. */
  get hasReadAll(): boolean {
    return !this.isStopped && this.document.policies.isClear;
  }

  /** The next characters. @returns what they name, in their order */
  write(text: string): Discovered[] {
    if (this.isStopped) return [];
    this.scannedChars += text.length;
    this.tags.write(text);
    // what has come so far was right; what is so long is not read further
    if (this.scannedChars > MAX_SCANNED_CHARS) this.isStopped = true;
    return this.found.splice(0);
  }

  private opened(tag: StartTag): void {
    const { name } = tag;
    if (this.isStopped) return;
    if (name === 'script') this.script = new ScriptEscape();
    if (name === 'picture' && (this.open.get(name) ?? 0) === 0) this.hasSource = false;
    if (name === 'source') this.hasSource = true;
    if (INERT.has(name) || FOREIGN.has(name) || name === 'picture') this.count(name, 1);
    if (this.isIn(INERT) || this.isIn(FOREIGN)) return;
    if (name === 'meta') this.readMeta(tag);
    else if (name === 'base') this.readBase(tag);
    else if (name === 'style') this.openStyle(tag);
    // has no contents of its own, and Firefox fetches nothing for what stands in it
    else if (name === 'frameset') this.isStopped = true;
    else if (name !== 'body' || !this.hasBody) this.fetchFor(tag);
    this.hasBody ||= name === 'body';
  }

  private closed(name: string): void {
    if (this.isStopped) return;
    this.count(name, -1);
    if (name === 'script') {
      // only the tokenizer takes a double escaped script to end here; what follows is script, and how far is not known
      if (this.script?.state === 'double') this.isStopped = true;
      this.script = null;
    }
    if (name !== 'style' || this.style === null) return;
    const { text, isWanted } = this.style;
    this.style = null;
    if (!isWanted) return;
    for (const url of sheetImports(text, this.baseUrl)) this.discover(url, { kind: 'style', mode: NO_CORS }, '', this.referrerPolicy);
  }

  private text(text: string): void {
    this.script?.write(text);
    if (this.style !== null) this.style.text += text.slice(0, MAX_STYLE_CHARS - this.style.text.length);
  }

  private fetchFor(tag: Pick<StartTag, 'name' | 'attributes' | 'isCut'>): void {
    if (tag.isCut) return;
    const policy = referrerPolicyNamed(tag.attributes.get('referrerpolicy') ?? '') ?? this.referrerPolicy;
    for (const fetch of elementFetches(tag, this.hasSource && (this.open.get('picture') ?? 0) > 0)) {
      const url = resolveFetchUrl(fetch.href, this.baseUrl, this.document.isUtf8);
      if (url !== null) this.discover(url, fetch, tag.attributes.get('nonce') ?? '', policy);
    }
  }

  private discover(named: string, { kind, mode, isDeferred = false }: Pick<ElementFetch, 'kind' | 'mode' | 'isDeferred'>, nonce: string, referrerPolicy: string | null): void {
    const url = this.document.policies.upgraded(named, kind);
    // a page asks once for what it names twice
    if (url === null || this.seen.has(url) || !this.document.policies.allows({ url, kind, nonce })) return;
    this.found.push({ url, kind, mode, isDeferred, referrerPolicy, isBehindImages: this.hasImage });
    this.hasImage ||= kind === 'image';
    this.seen.add(url);
    if (this.seen.size >= MAX_DISCOVERED) this.isStopped = true;
  }

  /** The first that has a href counts, even if that can not be used (HTML, section 2.4.1). */
  private readBase({ attributes, isCut }: StartTag): void {
    const href = attributes.get('href');
    if (href === undefined || this.hasBase) return;
    this.hasBase = true;
    if (isCut) this.isStopped = true;
    const base = URL.parse(href, this.document.url);
    if (base !== null && base.protocol !== 'data:' && base.protocol !== 'javascript:') this.baseUrl = base.href;
  }

  private readMeta({ attributes, isCut }: StartTag): void {
    const content = attributes.get('content') ?? '';
    // in the body it counts for nobody (CSP 3, section 3.3), and a page that has it there is not as it looks
    if (/^content-security-policy$/i.test(attributes.get('http-equiv') ?? '')) {
      if (this.hasBody || isCut) this.isStopped = true;
      else this.document.policies.add(content);
    }
    // from here on a browser says more of itself to servers, which it alone knows (Client Hints Infrastructure)
    if (/^(accept|delegate)-ch$/i.test(attributes.get('http-equiv') ?? '')) this.isStopped = true;
    if (/^referrer$/i.test(attributes.get('name') ?? '')) this.referrerPolicy = referrerPolicyOfMeta(content) ?? this.referrerPolicy;
  }

  private openStyle({ attributes }: StartTag): void {
    const type = attributes.get('type') ?? '';
    this.style = { text: '', isWanted: (type === '' || /^text\/css$/i.test(type)) && matchesEveryScreen(attributes.get('media') ?? '') };
  }

  private isIn(names: ReadonlySet<string>): boolean {
    return [...names].some((name) => (this.open.get(name) ?? 0) > 0);
  }

  private count(name: string, step: 1 | -1): void {
    const was = this.open.get(name) ?? 0;
    // noscript is text to a browser that runs scripts, and ends with its first end tag
    const isText = name === 'noscript';
    if (step > 0) this.open.set(name, isText ? 1 : was + 1);
    else if (was > 0) this.open.set(name, was - 1);
  }
}
