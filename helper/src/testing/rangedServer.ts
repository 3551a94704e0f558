import type { Socket } from 'node:net';
import { contentRangeOf, type ByteRange } from '../http/partialContent.ts';
import { RawServer } from './rawServer.ts';

/** One request. */
export interface RangedRequest {
  /** Of its connection, in the order of their opening. */
  readonly connection: number;
  /** The value of Range; null without one. */
  readonly range: string | null;
  readonly ifRange: string | null;
}

/** What a server has. */
export interface RangedFile {
  readonly body: Buffer;
  /** Fields that hold its validators. */
  readonly fields: string;
  /** What If-Range has to be; null where no range is given. */
  readonly validator: string | null;
}

/** An answer with its head, whole or of ranges, as servers of files give it. @param isMultipart whether it gives several ranges at once */
export function rangedAnswer({ range, ifRange }: RangedRequest, { body, fields, validator }: RangedFile, isMultipart: boolean): { readonly head: string; readonly body: Buffer } {
  const ranges = validator !== null && (ifRange === null || ifRange === validator) ? rangesOf(range, body.length) : null;
  if (ranges?.length === 0) return { head: `HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\nContent-Range: bytes */${body.length}\r\n\r\n`, body: Buffer.alloc(0) };
  const [only] = ranges ?? [];
  if (only === undefined || (ranges !== null && ranges.length > 1 && !isMultipart)) return { head: `HTTP/1.1 200 OK\r\n${fields}Content-Length: ${body.length}\r\n\r\n`, body };
  const named = ({ first, end }: ByteRange): string => `Content-Range: bytes ${first}-${end - 1}/${body.length}\r\n`;
  if (ranges?.length === 1) return { head: `HTTP/1.1 206 Partial Content\r\n${fields}${named(only)}Content-Length: ${only.end - only.first}\r\n\r\n`, body: body.subarray(only.first, only.end) };
  const parts = [...(ranges ?? []).flatMap((one) => [Buffer.from(`\r\n--PART\r\n${named(one)}\r\n`), body.subarray(one.first, one.end)]), Buffer.from('\r\n--PART--\r\n')];
  const multipart = Buffer.concat(parts);
  return { head: `HTTP/1.1 206 Partial Content\r\n${fields}Content-Type: multipart/byteranges; boundary=PART\r\nContent-Length: ${multipart.length}\r\n\r\n`, body: multipart };
}

/** A server each of whose requests a test answers, byte by byte. */
export async function startRangedServer(answer: (request: RangedRequest, socket: Socket) => unknown): Promise<RawServer> {
  return RawServer.start((socket, header, connection) => {
    // what is written comes as it was written
    socket.setNoDelay(true);
    answer({ connection, range: fieldOf(header, 'range')?.replace('bytes=', '') ?? null, ifRange: fieldOf(header, 'if-range') }, socket);
  });
}

function fieldOf(header: string, name: string): string | null {
  return new RegExp(`^${name}: *(.*)$`, 'im').exec(header)?.[1]?.trim() ?? null;
}

function rangesOf(value: string | null, length: number): ByteRange[] | null {
  if (value === null) return null;
  return value.split(',').flatMap((one) => {
    const [first = '', last = ''] = one.trim().split('-');
    const range = contentRangeOf(['content-range', `bytes ${first}-${last === '' ? length - 1 : Math.min(Number(last), length - 1)}/${length}`]);
    return range === null ? [] : [{ first: range.first, end: range.end }];
  });
}
