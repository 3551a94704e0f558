/** Kinds that are made smaller. WebP and AVIF are small already. */
export const IMAGE_KINDS = ['jpeg', 'png', 'gif'] as const;
export type ImageKind = (typeof IMAGE_KINDS)[number];

/** What they may come as. */
export const IMAGE_TYPES = ['image/avif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Several pictures in one file (CIPA DC-007, section 5.1), of which the second may be a gain map: screens that can show it more brightly by that (ISO 21496-1). */
const MULTI_PICTURE = Buffer.from('MPF\0', 'latin1');
/** Length, type and checksum. */
const PNG_CHUNK_BYTES = 12;
/** What can stand before the picture and changes nothing of how it looks when it is gone; sRGB and iCCP are looked at apart. */
const PLAIN_CHUNKS: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'sRGB', 'iCCP', 'pHYs', 'tEXt', 'iTXt', 'zTXt', 'tIME', 'bKGD', 'sBIT', 'hIST', 'sPLT', 'gAMA', 'cHRM']);

/** What kind of picture this is by its first bytes, and not by what its server says; null for what stays as it is. */
export function imageKindOf(bytes: Buffer): ImageKind | null {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return bytes.includes(MULTI_PICTURE) ? null : 'jpeg';
  if (/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return 'gif';
  return isPlainPng(bytes) ? 'png' : null;
}

/** A PNG that does not move, and whose colours are those of its samples: a gamma of its own is overruled by a profile only (PNG, section 13.1). */
function isPlainPng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return false;
  const types = new Set<string>();
  for (let at = PNG_SIGNATURE.length; at + PNG_CHUNK_BYTES <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') return !(types.has('gAMA') || types.has('cHRM')) || types.has('sRGB') || types.has('iCCP');
    if (!PLAIN_CHUNKS.has(type)) return false;
    types.add(type);
    at += bytes.readUInt32BE(at) + PNG_CHUNK_BYTES;
  }
  return false;
}
