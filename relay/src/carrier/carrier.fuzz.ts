import * as v from 'valibot';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { authorityOf, parseAuthority } from '../../../shared/src/names/authority.ts';
import { ControlLines, parseControlLine } from '../../../shared/src/relay/controlLines.ts';
import { MAX_LEVEL, RelayControlMessage } from '../../../shared/src/relay/wire.ts';
import { levelIn } from '../requests/requestHead.ts';
import { parseMessage } from './controlStream.ts';
import { SendWindows } from './sendWindows.ts';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const MAX_SINGLE_BYTES = 5_000;

/** What a control stream says when it comes in these pieces; a code alone where it ends so, as it is reset then. */
function read(pieces: readonly string[], parse: (line: string) => unknown): string {
  const lines = new ControlLines();
  const said: string[] = [];
  try {
    for (const piece of pieces) for (const line of lines.push(piece)) said.push(JSON.stringify(parse(line)));
    return said.join();
  } catch (error) {
    if (!(error instanceof FirstscreenError)) throw error;
    return error.code;
  }
}

/** Each line is a message or ends the stream with a code, on either side, however it is cut. */
function runControl(bytes: Uint8Array): void {
  const text = Buffer.from(bytes).toString();
  for (const parse of [parseMessage, (line: string) => v.is(RelayControlMessage, parseControlLine(line))]) {
    const whole = read([text], parse);
    const middle = Math.floor(text.length / 2);
    if (read([text.slice(0, middle), text.slice(middle)], parse) !== whole) throw new Error('another answer for a stream in two pieces');
  }
}

/** A target is a host and a port that mean the same written anew, or none; a level is one or none. */
function runHeads(bytes: Uint8Array): void {
  const text = Buffer.from(bytes).toString('latin1');
  const target = parseAuthority(text);
  if (target !== null && JSON.stringify(parseAuthority(authorityOf(target))) !== JSON.stringify(target)) throw new Error('another target when it is written anew');
  const level = levelIn(text);
  if (level !== null && !(Number.isInteger(level) && level >= 0 && level <= MAX_LEVEL)) throw new Error('a level that is none');
}

/** Windows are the same however a client's frames are cut, and never less than nothing. */
function runFrames(bytes: Uint8Array): void {
  const rooms = (pieces: readonly Uint8Array[]): string => {
    const broken: number[] = [];
    const windows = new SendWindows((stream) => broken.push(stream));
    for (const piece of pieces) windows.read(piece);
    const room = [1, 3, 5].map((stream) => windows.roomOf(stream));
    if (room.some((each) => !(each >= 0))) throw new Error('a window of less than nothing');
    return JSON.stringify([room, broken]);
  };
  const whole = rooms([bytes]);
  if (bytes.length < MAX_SINGLE_BYTES && rooms(Array.from(bytes, (byte) => Uint8Array.of(byte))) !== whole) throw new Error('other windows for single bytes');
}

export const targets = [
  { name: 'relay-control', pieces: ['{"type":"rank","ranks":[', '{"stream":1,"level":3}', '{"type":"hello","version":1,"terminates":true}', '{"type":"connect","origin":"https://a.test"}', '"__proto__":', ']}', ',', '\n', '\r\n', '{', '}', '"', '1e999', '-1', 'null', '\\ud800', '\0'], run: runControl },
  { name: 'relay-heads', pieces: ['a.test', '[::1]', '127.0.0.1', ':443', ':0', ':65536', ':', '0x7f', '%00', '@', '/', ' ', '\t', '9', '10', '-1', 'xn--', '.', '[', ']'], run: runHeads },
  {
    name: 'relay-frames',
    pieces: [PREFACE, '\0\0\x04\x08\0\0\0\0\x01', '\0\0\x04\x08\0\0\0\0\0', '\x7f\xff\xff\xff', '\0\0\x06\x04\0\0\0\0\0', '\0\x04\xff\xff\xff\xff', '\0\0\0\x04\x01\0\0\0\0', '\0\0\x03\x01\x04\0\0\0\x01abc', '\0\0\x04\x03\0\0\0\0\x01', '\0\0\0\x08', '\xff\xff\xff\0\0\0\0\0\x01', '\0\0\x08\x06\0\0\0\0\x0012345678'],
    run: runFrames,
  },
];
