/**
 * What the relay's encoding takes away of recorded pages, by kind, and how long that takes one core:
 * node relay/src/testing/savings.ts [--busy] PAGE.warc.gz...
 * busy: pictures have as long as while the link has something else to carry.
 */
import { parseArgs } from 'node:util';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, inflateSync, zstdCompressSync, zstdDecompressSync, type InputType } from 'node:zlib';
import sharp from 'sharp';
import { MAX_KEPT_BYTES, MIN_KEPT_BYTES } from '../../../shared/src/node/relay/keptBodies.ts';
import { BROTLI, ZSTD } from '../encoding/bodyEncoders.ts';
import { isSmaller } from '../encoding/codedBody.ts';
import { encodeImage } from '../encoding/encodeImage.ts';
import { EncodingSpeed } from '../encoding/encodingSpeed.ts';
import { limitMsOf, PATIENCE_MS } from '../encoding/heldImage.ts';
import { IMAGE_TYPES, imageKindOf, type ImageKind } from '../encoding/imageKind.ts';
import { recordedAnswers, type RecordedAnswer } from './recordedAnswers.ts';

const OK = 200;
/** By how much a sample may differ before one sees it (the picture test of the benchmark). */
const SEEN = 16;
const DECODE: Readonly<Record<string, (body: InputType) => Buffer>> = { '': (body) => Buffer.from(body as Buffer), gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync, zstd: zstdDecompressSync };

/** Of 3g-fast, kilobits per second. */
const RATE = 1_600;
const speed = new EncodingSpeed();

class Row {
  count = 0;
  late = 0;
  before = 0;
  after = 0;
  ms = 0;
  samples = 0;
  different = 0;

  add(before: number, after: number, ms: number): void {
    this.count += 1;
    this.before += before;
    this.after += after;
    this.ms += ms;
  }
}

const rows = new Map<string, Row>();
const { values: { busy }, positionals: files } = parseArgs({ options: { busy: { type: 'boolean', default: false } }, allowPositionals: true });
for (const file of files) {
  for (const answer of recordedAnswers(file)) {
    if (answer.status !== OK || answer.body.length === 0) continue;
    const kind = imageKindOf(answer.body);
    if (kind !== null) await countImage(kind, answer.body);
    countText(answer, kind !== null);
  }
}
for (const [kind, { count, late, before, after, ms, samples, different }] of [...rows].sort()) {
  const seen = samples === 0 ? '' : `; ${((100 * different) / samples).toFixed(2)} % of pixels differ by more than ${SEEN}`;
  process.stdout.write(`${kind}: ${count}${late === 0 ? '' : ` (${late} too late)`}; ${before} bytes become ${after} (${(after / before).toFixed(3)}); ${(ms / count).toFixed(1)} ms each${seen}\n`);
}

function row(name: string): Row {
  const known = rows.get(name) ?? new Row();
  rows.set(name, known);
  return known;
}

async function countImage(kind: ImageKind, body: Buffer): Promise<void> {
  const beganMs = performance.now();
  const limitMs = busy ? PATIENCE_MS : limitMsOf(body.length, RATE);
  const encoded = await encodeImage(sharp, { bytes: body, kind, types: IMAGE_TYPES, limitMs }, speed).catch(() => null);
  const ms = performance.now() - beganMs;
  const isLate = ms > limitMs;
  const counted = row(encoded === null ? `${kind} as it is` : `${kind} to ${encoded.type}`);
  counted.add(body.length, encoded === null || isLate ? body.length : encoded.body.length, ms);
  counted.late += isLate ? 1 : 0;
  if (encoded?.type !== 'image/avif') return;
  const [a, b] = await Promise.all([samplesOf(body), samplesOf(encoded.body)]);
  for (let i = 0; i < a.length; i += 3) {
    counted.samples += 1;
    counted.different += [0, 1, 2].some((channel) => Math.abs((a[i + channel] ?? 0) - (b[i + channel] ?? 0)) > SEEN) ? 1 : 0;
  }
}

function samplesOf(bytes: Uint8Array): Promise<Buffer> {
  return sharp(bytes, { ignoreIcc: true }).toColourspace('srgb').removeAlpha().raw().toBuffer();
}

/** In brotli, at a first visit; and in zstd against itself, as at a second one where nothing has changed. */
function countText({ type, coding, body }: RecordedAnswer, isImage: boolean): void {
  let plain: Buffer;
  try {
    plain = DECODE[coding]?.(body) ?? body;
  } catch {
    return;
  }
  if (!isImage && isSmaller(['content-type', type, 'content-length', String(body.length)], coding, false)) time(`text in ${coding || 'no coding'}`, body, () => brotliCompressSync(plain, { params: BROTLI }));
  if (plain.length <= MAX_KEPT_BYTES && plain.length >= MIN_KEPT_BYTES) time('unchanged, against itself', body, () => zstdCompressSync(plain, { params: ZSTD, dictionary: plain }));
}

function time(name: string, body: Buffer, encode: () => Buffer): void {
  const beganMs = performance.now();
  const { length } = encode();
  row(name).add(body.length, length, performance.now() - beganMs);
}
