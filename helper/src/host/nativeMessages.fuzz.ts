import { FirstscreenError } from '../../../shared/src/errors.ts';
import { FrameParser, encodeFrame } from '../../../shared/src/protocol/framing.ts';
import { MAX_FRAME_BYTES, parseExtensionMessage } from '../../../shared/src/protocol/native.ts';
import { decodeBody } from './messageCodec.ts';

/** What a stream says when it comes in these pieces: the bodies, and the code of the error at which it ends. */
function read(pieces: readonly Uint8Array[]): string {
  const said: string[] = [];
  const parser = new FrameParser(MAX_FRAME_BYTES);
  try {
    for (const piece of pieces) for (const body of parser.push(piece)) said.push(Buffer.from(body).toString('hex'));
    parser.end();
  } catch (error) {
    said.push(codeOf(error));
  }
  return said.join();
}

function codeOf(error: unknown): string {
  if (error instanceof FirstscreenError) return error.code;
  throw error;
}

/** A stream says the same however it is cut. */
function runFrames(bytes: Uint8Array): void {
  const middle = Math.floor(bytes.length / 2);
  const whole = read([bytes]);
  if (read([bytes.subarray(0, middle), bytes.subarray(middle)]) !== whole) throw new Error('another answer for a stream in two pieces');
  if (bytes.length < 10_000 && read(Array.from(bytes, (byte) => Uint8Array.of(byte))) !== whole) throw new Error('another answer for single bytes');
}

/** A body is a message of the protocol or is refused with a code. */
function runMessages(bytes: Uint8Array): void {
  for (const body of new FrameParser(MAX_FRAME_BYTES).push(encodeFrame(bytes.subarray(0, MAX_FRAME_BYTES), MAX_FRAME_BYTES))) {
    try {
      parseExtensionMessage(decodeBody(body));
    } catch (error) {
      codeOf(error);
    }
  }
}

export const targets = [
  { name: 'native-frames', pieces: ['\0\0\0\0', '\x01\0\0\0', '\x02\0\0\0{}', '\x00\x00\x10\x00', '\x01\x00\x10\x00', '{}', '[1]', '\0'], run: runFrames },
  {
    name: 'native-messages',
    pieces: ['{"v":1,"id":1,"type":"', 'hello', 'plan', 'proxy', 'navigating', 'visited', '","payload":{', '"url":"https://a.test/"', '"objects":[', '"__proto__":', '{', '}', '[', ']', ',', ':', '"', '1e999', 'null', '\\ud800'],
    run: runMessages,
  },
];
