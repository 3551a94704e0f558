import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/**
 * A start tag with those of its attributes that were asked for; of an attribute that is there twice, the first counts
 * (HTML, 13.2.5.33).
 */
export interface StartTag {
  /** In lower case. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** A value was longer than is kept, so it is not all here. */
  readonly isCut: boolean;
}

export interface HtmlTagSink {
  opened(tag: StartTag): void;
  closed(name: string): void;
  /** Text as it comes, in pieces; of scripts and styles the text between their tags. */
  text(text: string): void;
  /** Whether the reader is inside svg or math, where `<style>` and `<title>` are elements like others. */
  isInForeignContent(): boolean;
}

/** URLs that are longer are not fetched ahead; a data URI may be of any length, and is not needed. */
const MAX_VALUE_CHARS = 16 * 1024;
/** No tag and no attribute that is looked for has a longer name. */
const MAX_NAME_CHARS = 64;
/** What the tokenizer gets at once, and what is kept of what it has had but not told of yet; see `HtmlTags`. */
const MAX_WRITE_CHARS = 16 * 1024;
const MAX_KEPT_CHARS = 4 * MAX_WRITE_CHARS;
/** What may go is cut off in pieces, so that a text that comes letter by letter is not copied for each of them. */
const MIN_FORGOTTEN_CHARS = MAX_WRITE_CHARS / 4;

/**
 * HTML text, cut anywhere, as tags: what a browser's preload scanner works on, which has no tree either. Linear in time
 * and bounded in memory whatever is written, so it stands on htmlparser2's tokenizer and not on its parser: that one
 * searches its stack of open elements for every end tag (200,000 `<b>` and `</i>`, which no page has to be, take it 10
 * s).
 *
 * What depends on where text is cut: the tokenizer tells places in what was written, not text. A piece it tells of may
 * begin one or more writes before (`<a hr|ef>`, a whole value up to `a&am|p;b`, a whole style sheet up to `</st|yle>`),
 * so all that it has not told of yet is kept for it. Text comes in pieces, and at the very end an unfinished `</scr`
 * may be told as text or not; tags and attributes are the same however text is cut.
 */
export class HtmlTags {
  private readonly sink: HtmlTagSink;
  private readonly wanted: ReadonlySet<string>;
  private readonly tokenizer: Tokenizer;
  /** Written, from `keptStart` on; told of up to `toldTo`. */
  private kept = '';
  private keptStart = 0;
  private toldTo = 0;
  private tag: { readonly name: string; readonly attributes: Map<string, string>; isCut: boolean } | null = null;
  /** Null when its attribute is not wanted. */
  private value: { readonly name: string; text: string } | null = null;

  /** @param wanted names of the attributes that are kept */
  constructor(sink: HtmlTagSink, wanted: ReadonlySet<string>) {
    this.sink = sink;
    this.wanted = wanted;
    this.tokenizer = new Tokenizer({}, this.callbacks());
  }

  write(text: string): void {
    for (let from = 0; from < text.length; from += MAX_WRITE_CHARS) {
      const piece = text.slice(from, from + MAX_WRITE_CHARS);
      this.kept += piece;
      this.tokenizer.write(piece);
      this.forget();
    }
  }

  /** An endless comment is not told of until it ends, and is not wanted: what is too old goes. */
  private forget(): void {
    const surplus = Math.max(this.toldTo - this.keptStart, this.kept.length - MAX_KEPT_CHARS);
    if (surplus < MIN_FORGOTTEN_CHARS) return;
    this.kept = this.kept.slice(surplus);
    this.keptStart += surplus;
  }

  private callbacks(): TokenizerCallbacks {
    const ignore = (): void => undefined;
    const end = (): void => this.endTag();
    return {
      onopentagname: (from, to) => {
        this.tag = { name: this.nameAt(from, to), attributes: new Map(), isCut: false };
      },
      onattribname: (from, to) => {
        const name = this.nameAt(from, to);
        this.value = this.wanted.has(name) && this.tag?.attributes.has(name) === false ? { name, text: '' } : null;
      },
      onattribdata: (from, to) => this.addToValue(this.slice(from, to)),
      onattribentity: (codePoint) => this.addToValue(String.fromCodePoint(codePoint)),
      onattribend: () => {
        if (this.value !== null) this.tag?.attributes.set(this.value.name, this.value.text);
        this.value = null;
      },
      onopentagend: end,
      onselfclosingtag: end,
      onclosetag: (from, to) => this.sink.closed(this.nameAt(from, to)),
      ontext: (from, to) => this.sink.text(this.slice(from, to)),
      ontextentity: (codePoint) => this.sink.text(String.fromCodePoint(codePoint)),
      isInForeignContext: () => this.sink.isInForeignContent(),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    };
  }

  private addToValue(text: string): void {
    if (this.value === null || this.tag === null) return;
    const room = MAX_VALUE_CHARS - this.value.text.length;
    this.value.text += text.slice(0, room);
    if (text.length > room) this.tag.isCut = true;
  }

  private endTag(): void {
    const { tag } = this;
    this.tag = null;
    if (tag !== null) this.sink.opened(tag);
  }

  /** @returns a name that no element and no attribute has, for one that is too long */
  private nameAt(from: number, to: number): string {
    return to - from > MAX_NAME_CHARS ? '' : this.slice(from, to).toLowerCase();
  }

  private slice(from: number, to: number): string {
    this.toldTo = to;
    return this.kept.slice(Math.max(0, from - this.keptStart), to - this.keptStart);
  }
}
