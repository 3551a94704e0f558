import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createZstdCompress } from 'node:zlib';
import type { BodyCoding } from '../../../shared/src/relay/wire.ts';

/** An encoder of zlib, which passes on what it has when it is told to. */
export type BodyEncoder = Transform & { flush(kind: number, done?: () => void): void };

interface Encoding {
  /** @param dictionary null for none, as always in brotli: Node has no dictionaries there */
  open(dictionary: Buffer | null): BodyEncoder;
  /** By which all that was written goes on. */
  readonly flush: number;
  /** By which the body is over. */
  readonly end: number;
}

/** At a time, of all clients. Of a body of 1.2 MB brotli was measured at 7.5 MB while it works, zstd at 4.7: all together have 480 MB at the most, whatever pages ask for at once. What comes while there are as many goes on as it is. */
export const MAX_ENCODERS = 64;

/** A fault in decoding shows by the checksum: of what is coded against another body nothing else may tell. */
export const ZSTD = { [constants.ZSTD_c_compressionLevel]: 6, [constants.ZSTD_c_checksumFlag]: 1 };
/** Text in 0.95 of the bytes of zstd 6, in less than twice its time and memory; quality 7 has 0.94, and 8 MB for each body on its way (ADR 77). Its window is 1 MB. */
export const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_LGWIN]: 20 };

export const BODY_ENCODERS: Readonly<Record<BodyCoding, Encoding>> = {
  br: { open: () => createBrotliCompress({ params: BROTLI }), flush: constants.BROTLI_OPERATION_FLUSH, end: constants.BROTLI_OPERATION_FINISH },
  zstd: { open: (dictionary) => createZstdCompress({ params: ZSTD, ...(dictionary !== null && { dictionary }) }), flush: constants.ZSTD_e_flush, end: constants.ZSTD_e_end },
};
