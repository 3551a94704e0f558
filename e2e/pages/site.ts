import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';

import { photograph, png, studio } from './pictures/encode.ts';
import { spriteCss, spriteSvg } from './pictures/icons.ts';
import { type Random } from './random.ts';
import { headScript, TAIL_SCRIPT } from './scripts.ts';
import { type RecordedObject } from './warcWriter.ts';

const require = createRequire(import.meta.url);

/** Both under the SIL Open Font License; they are read from the packages, never copied into the project. */
const FONTS = {
  'inter.woff2': require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  'source-serif.woff2': require.resolve('@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2'),
} as const;

/** Style, scripts and fonts of all pages. */
export const STATIC_HOST = 'static.demo.test';
/** Third parties: what is in frames. */
export const CDN_HOST = 'cdn.demo.test';
/** Pictures are spread over two hosts, as sites do. */
const IMAGE_HOSTS = ['img1.demo.test', 'img2.demo.test'] as const;

const DOCUMENT_TYPE = 'text/html; charset=utf-8';

/** How an image element is written. */
export interface ImageOptions {
  readonly alt?: string;
  /** Leave out width and height, as many pages do: the layout moves when the picture arrives. */
  readonly withoutSize?: boolean;
}

/** Collects the objects of a page while its document is written. */
export class Site {
  readonly #random: Random;
  readonly #host: string;
  readonly #objects: RecordedObject[] = [];
  #pictures = 0;

  constructor(random: Random, host: string) {
    this.#random = random;
    this.#host = host;
  }

  add(host: string, path: string, contentType: string, body: Uint8Array | string, headers: Readonly<Record<string, string>> = {}): string {
    const url = `https://${host}${path}`;
    this.#objects.push({ url, contentType, body: typeof body === 'string' ? Buffer.from(body) : body, headers });
    return url;
  }

  /** Adds a photograph and answers its element. */
  async photograph(width: number, height: number, quality: number, options: ImageOptions = {}): Promise<string> {
    const body = await photograph(this.#random.fork(`photograph ${this.#pictures}`), width, height, quality);
    return imageTag(this.#addPicture(body), width, height, options);
  }

  /** Adds a photograph and answers its URL, for style sheets. */
  async background(width: number, height: number, quality: number): Promise<string> {
    const body = await photograph(this.#random.fork(`background ${this.#pictures}`), width, height, quality);
    return this.#addPicture(body);
  }

  async product(form: string, width: number, height: number, quality: number, options: ImageOptions = {}): Promise<string> {
    const body = await studio(this.#random.fork(`product ${this.#pictures}`), form, width, height, quality);
    return imageTag(this.#addPicture(body), width, height, options);
  }

  #addPicture(body: Uint8Array): string {
    const host = IMAGE_HOSTS[this.#pictures % IMAGE_HOSTS.length] ?? IMAGE_HOSTS[0];
    this.#pictures++;
    return this.add(host, `/photos/${String(this.#pictures).padStart(3, '0')}.jpg`, 'image/jpeg', body);
  }

  /** Adds a style sheet file of ours, with the sprite and the fonts that the base one needs. Answers the element. */
  async style(name: string, more = ''): Promise<string> {
    const text = await readFile(new URL(`styles/${name}.css`, import.meta.url), 'utf8');
    return `<link rel="stylesheet" href="${this.add(STATIC_HOST, `/css/${name}.css`, 'text/css', text + more)}">`;
  }

  async #baseStyle(): Promise<string> {
    const sprite = this.add(STATIC_HOST, '/img/icons.png', 'image/png', await png(spriteSvg('#3a3733', '#f1efe9')));
    // One after the other: objects are recorded in the order in which they are added.
    const sans = await this.#fontFace('Inter Demo', 'inter.woff2');
    const serif = await this.#fontFace('Source Serif Demo', 'source-serif.woff2');
    return await this.style('base', `${sans}\n${serif}\n${spriteCss(sprite)}\n`);
  }

  async #fontFace(family: string, file: keyof typeof FONTS): Promise<string> {
    // Fonts are fetched with CORS whatever their host (CSS Fonts 4, 4.9).
    const url = this.add(STATIC_HOST, `/fonts/${file}`, 'font/woff2', await readFile(FONTS[file]), { 'Access-Control-Allow-Origin': '*' });
    return `@font-face{font-family:"${family}";src:url(${url}) format("woff2");font-weight:200 900;font-display:swap}`;
  }

  /** What all its pages have in their heads. @param name of its own style sheet @param script name of its own script, which blocks the parser @param more for that sheet */
  async head(icon: string, name: string, script: string, more = ''): Promise<string[]> {
    return [
      `<link rel="icon" href="${icon}">`,
      await this.#baseStyle(),
      await this.style(name, more),
      this.#script(script, headScript(this.#random.fork('script'))),
      this.#script('tail', TAIL_SCRIPT, ' defer'),
    ];
  }

  /** Adds another document of the site. */
  page(path: string, document: string): void {
    this.add(this.#host, path, DOCUMENT_TYPE, document);
  }

  #script(name: string, text: string, attributes = ''): string {
    return `<script src="${this.add(STATIC_HOST, `/js/${name}.js`, 'text/javascript', text)}"${attributes}></script>`;
  }

  /** All objects, the document that a browser enters by first. */
  finish(document: string): RecordedObject[] {
    const entry = { url: `https://${this.#host}/`, contentType: DOCUMENT_TYPE, body: Buffer.from(document) };
    return [entry, ...this.#objects];
  }
}

function imageTag(url: string, width: number, height: number, options: ImageOptions): string {
  const size = options.withoutSize === true ? '' : ` width="${width}" height="${height}"`;
  return `<img src="${url}"${size} alt="${escapeHtml(options.alt ?? '')}">`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
