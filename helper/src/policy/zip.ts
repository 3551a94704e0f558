import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive; `name` is its path inside, with `/`. */
export interface PackedFile {
  readonly name: string;
  readonly content: Buffer;
}

/**
 * A ZIP archive (APPNOTE.TXT, sections 4.3.7, 4.3.12, 4.3.16) of these files in this order. It knows of no time, owner
 * or mode, so the same files make the same bytes, as long as the same Node deflates them.
 */
export function zip(files: readonly PackedFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of files) {
    const path = Buffer.from(name);
    const packed = deflateRawSync(content, { level: BEST_COMPRESSION });
    const sizes = [uint32(crc32(content)), uint32(packed.length), uint32(content.length)];
    const common = Buffer.concat([uint16s(ZIP_VERSION, UTF8_NAMES, DEFLATED, MIDNIGHT, FIRST_DAY), ...sizes, uint16s(path.length, 0)]);
    const local = Buffer.concat([uint32(0x04034b50), common, path, packed]);
    parts.push(local);
    directory.push(uint32(0x02014b50), uint16s(ZIP_VERSION), common, uint16s(0, 0, 0), uint32(0), uint32(offset), path);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.concat([uint32(0x06054b50), uint16s(0, 0, files.length, files.length), uint32(central.length), uint32(offset), uint16s(0)]);
  return Buffer.concat([...parts, central, end]);
}

const BEST_COMPRESSION = 9;
/** 2.0, the first with directories. */
const ZIP_VERSION = 20;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
/** The earliest moment that ZIP can name, 1980-01-01 00:00: when a file was built is nobody's business. */
const [MIDNIGHT, FIRST_DAY] = [0, 0x0021];

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint16s(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2);
  return bytes;
}
