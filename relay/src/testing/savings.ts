/**
 * What the relay's encoding takes away of recorded pages, by kind, and how long that takes one core:
 * node relay/src/testing/savings.ts [--busy] PAGE.warc.gz...; busy: as long as the link has something else to carry
 */
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { encodeImage, IMAGE_TYPES } from '../encoding/encodeImage.ts';
import { limitMsOf, PATIENCE_MS } from '../encoding/heldImage.ts';
import { imageKindOf } from '../encoding/imageKind.ts';
import { recordedAnswers } from './recordedAnswers.ts';

const OK = 200;
/** By how much a sample may differ before one sees it (the picture test of the benchmark). */
const SEEN = 16;

interface Row {
  count: number;
  smaller: number;
  late: number;
  before: number;
  after: number;
  ms: number;
  samples: number;
  different: number;
}

const rows = new Map<string, Row>();
const { values: { busy }, positionals: files } = parseArgs({ options: { busy: { type: 'boolean', default: false } }, allowPositionals: true });
for (const file of files) {
  for (const { status, body } of recordedAnswers(file)) {
    const kind = imageKindOf(body);
    if (status !== OK || kind === null) continue;
    await count(kind, body);
  }
}
for (const [kind, { count: all, smaller, late, before, after, ms, samples, different }] of [...rows].sort()) {
  console.log(`${kind}: ${all}, smaller ${smaller}, late ${late}; ${before} bytes become ${after} (${(after / before).toFixed(2)}); ${(ms / all).toFixed(1)} ms each; ${((100 * different) / Math.max(samples, 1)).toFixed(2)} % of pixels differ by more than ${SEEN}`);
}

async function count(kind: 'jpeg' | 'png' | 'gif', body: Buffer): Promise<void> {
  const beganMs = performance.now();
  const limitMs = busy ? PATIENCE_MS : limitMsOf(body.length);
  const encoded = await encodeImage(sharp, { bytes: body, kind, types: IMAGE_TYPES, limitMs }).catch(() => null);
  const ms = performance.now() - beganMs;
  const isLate = ms > limitMs;
  const name = encoded === null ? `${kind} as it is` : `${kind} to ${encoded.type}`;
  const row = rows.get(name) ?? { count: 0, smaller: 0, late: 0, before: 0, after: 0, ms: 0, samples: 0, different: 0 };
  rows.set(name, row);
  row.count += 1;
  row.before += body.length;
  row.ms += ms;
  row.late += isLate ? 1 : 0;
  row.smaller += encoded !== null && !isLate ? 1 : 0;
  row.after += encoded === null || isLate ? body.length : encoded.body.length;
  if (encoded?.type === 'image/avif') {
    const [a, b] = await Promise.all([body, encoded.body].map((bytes) => sharp(bytes, { ignoreIcc: true }).toColourspace('srgb').removeAlpha().raw().toBuffer()));
    for (let i = 0; a !== undefined && b !== undefined && i < a.length; i += 3) {
      row.samples += 1;
      row.different += [0, 1, 2].some((channel) => Math.abs((a[i + channel] ?? 0) - (b[i + channel] ?? 0)) > SEEN) ? 1 : 0;
    }
  }
}
