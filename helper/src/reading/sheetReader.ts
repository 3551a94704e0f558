import { valueOf, valuesOf, type RawHeaders } from '../http/rawHeaders.ts';
import { CharsetDecoder } from './charsets.ts';
import { DecodedPeek, type PeekLimits } from './contentDecoding.ts';
import { scanStyleSheet, type SheetScan } from './cssScanner.ts';
import type { BodyReader } from './documentReader.ts';

const LIMITS: PeekLimits = { decodedBytes: 1024 * 1024, waitingBytes: 256 * 1024 };

/**
 * Reads a style sheet as it arrives.
 *
 * @param url of the answer
 * @param scanned what it names, once, when it is complete
 * @returns null for what is no style sheet
 */
export function readSheet(url: string, status: number, response: RawHeaders, scanned: (scan: SheetScan) => void): BodyReader | null {
  const contentType = valueOf(response, 'content-type');
  if (status !== 200 || !/^text\/css\s*(?:;|$)/i.test(contentType?.trim() ?? '')) return null;
  const text = new CharsetDecoder('css', contentType);
  let css = '';
  return new DecodedPeek(
    valuesOf(response, 'content-encoding').join(', '),
    {
      data: (bytes) => void (css += text.write(bytes)),
      ended: (isWhole) => {
        if (isWhole) scanned(scanStyleSheet(css + text.end(), url));
      },
    },
    LIMITS,
  );
}
