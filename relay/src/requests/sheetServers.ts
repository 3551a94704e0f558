import { mediaTypeOf } from '../../../shared/src/node/http/mediaType.ts';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import type { DecodedPeek } from '../../../shared/src/node/reading/contentDecoding.ts';
import { readStyleUrls } from '../../../shared/src/node/reading/styleUrls.ts';
import type { Room } from '../../../shared/src/node/reading/room.ts';
import { originOf } from '../../../shared/src/page/origin.ts';

/**
 * Reads a style sheet for the servers of its fonts and pictures. Which of these a browser will ask for only the layout
 * tells, so nothing is made of it but connections.
 *
 * @param url of the sheet
 * @param found origins of others, each as often as it stands there
 * @param room as `DecodedPeek` has it
 * @returns null for what is no style sheet
 */
export function readSheetServers(url: string, status: number, fields: RawHeaders, found: (origin: string) => void, room?: Room): DecodedPeek | null {
  if (mediaTypeOf(fields) !== 'text/css') return null;
  return readStyleUrls(url, status, fields, (named) => {
    for (const origin of named.map((each) => originOf(each.url))) if (origin !== originOf(url)) found(origin);
  }, room);
}
