import { TextDecoder } from 'node:util';

/**
 * What a text says of its own encoding, and where: a `<meta>` (HTML, section 13.2.3.2), or `@charset` (CSS Syntax 3,
 * section 3.2).
 */
export type TextKind = 'html' | 'css';

const PRESCAN_BYTES = 1024;
const DEFAULT_ENCODING = 'windows-1252';
const BOMS: readonly (readonly [readonly number[], string])[] = [[[0xef, 0xbb, 0xbf], 'utf-8'], [[0xfe, 0xff], 'utf-16be'], [[0xff, 0xfe], 'utf-16le']];
const MAX_BOM_BYTES = 3;

/**
 * Bytes to text, as browsers do it: a byte order mark counts first, then the Content-Type, then what the beginning of
 * the text says, then the default (HTML, section 13.2.3). Never throws; what is no text gets replacement characters.
 */
export class CharsetDecoder {
  private readonly kind: TextKind;
  private readonly declared: string | null;
  private decoder: TextDecoder | null = null;
  private beginning: Buffer = Buffer.alloc(0);

  /** @param contentType of the answer; null for none */
  constructor(kind: TextKind, contentType: string | null) {
    this.kind = kind;
    this.declared = encodingOf(/;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1] ?? '');
  }

  /** In lower case, as the Encoding standard names it; null until so much has come that it is clear. */
  get encoding(): string | null {
    return this.decoder?.encoding ?? null;
  }

  /** @returns the text so far; empty until the encoding is clear */
  write(bytes: Buffer): string {
    if (this.decoder !== null) return this.decoder.decode(bytes, { stream: true });
    this.beginning = Buffer.concat([this.beginning, bytes]);
    return this.beginning.length >= (this.declared === null ? PRESCAN_BYTES : MAX_BOM_BYTES) ? this.begin().decode(this.beginning, { stream: true }) : '';
  }

  end(): string {
    return this.decoder === null ? this.begin().decode(this.beginning) : this.decoder.decode();
  }

  private begin(): TextDecoder {
    const { beginning } = this;
    const mark = BOMS.find(([bytes]) => bytes.every((byte, place) => beginning[place] === byte))?.[1];
    this.decoder = new TextDecoder(mark ?? this.declared ?? this.prescanned() ?? DEFAULT_ENCODING);
    return this.decoder;
  }

  private prescanned(): string | null {
    const text = this.beginning.subarray(0, PRESCAN_BYTES).toString('latin1');
    const label = this.kind === 'css' ? /^@charset "([^"]*)";/.exec(text)?.[1] : metaCharset(text);
    const encoding = encodingOf(label ?? '');
    // a text whose ASCII could be read is not UTF-16
    return encoding?.startsWith('utf-16') === true ? 'utf-8' : encoding;
  }
}

function metaCharset(html: string): string | undefined {
  const metas = html.replace(/<!--.*?(?:-->|$)/gs, '').matchAll(/<meta[\s/](?:[^>"']|"[^"]*"|'[^']*')*>/gi);
  for (const [meta] of metas) {
    const [, label] = /[\s/"']charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(meta) ?? /;\s*charset\s*=\s*([^\s"'/>;]+)/i.exec(meta) ?? [];
    if (label !== undefined) return label;
  }
  return undefined;
}

/** @returns null for a label that names none, or none that this Node can read */
function encodingOf(label: string): string | null {
  try {
    return label === '' ? null : new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
