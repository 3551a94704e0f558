import { mediaTypeOf } from '../../../shared/src/node/http/mediaType.ts';
import { valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { DecodedPeek, type PeekLimits } from '../../../shared/src/node/reading/contentDecoding.ts';
import { originOf } from '../../../shared/src/page/origin.ts';

const LIMITS: PeekLimits = { decodedBytes: 1024 * 1024, waitingBytes: 256 * 1024 };
/** Longer names of servers are none. */
const MAX_NAME_CHARS = 300;
/** With a scheme, or that of the sheet: nothing else names another server. What is cut off may be half a name. */
const FOREIGN_URL = /url\(\s*["']?((?:https?:)?\/\/[^\s"'()\\/?#]+)(?=[\s"')/?#])/gi;

/**
 * Reads a style sheet for the servers of its fonts and pictures. Which of these a browser will ask for only the layout
 * tells, so nothing is made of it but connections.
 *
 * @param url of the sheet
 * @param found origins of others, each as often as it stands there
 * @returns null for what is no style sheet
 */
export function readSheetServers(url: string, status: number, fields: RawHeaders, found: (origin: string) => void): DecodedPeek | null {
  if (status !== 200 || mediaTypeOf(fields) !== 'text/css') return null;
  let rest = '';
  const data = (bytes: Buffer): void => {
    // names of servers are of ASCII
    const text = rest + bytes.toString('latin1');
    for (const [, named = ''] of text.matchAll(FOREIGN_URL)) {
      const origin = URL.parse(named, url)?.origin;
      if (origin !== undefined && origin !== 'null' && origin !== originOf(url)) found(origin);
    }
    rest = text.slice(-MAX_NAME_CHARS);
  };
  return new DecodedPeek(valueOf(fields, 'content-encoding'), { data, ended: () => undefined }, LIMITS);
}
