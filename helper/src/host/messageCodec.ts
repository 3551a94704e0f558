import { FirstscreenError } from '../../../shared/src/errors.ts';
import { encodeFrame } from '../../../shared/src/protocol/framing.ts';
import { MAX_FRAME_BYTES } from '../../../shared/src/protocol/native.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON value in a frame's body.
 *
 * @throws FirstscreenError E_MESSAGE_JSON; without a cause, because the runtime's own error quotes the text, which may hold a page's URL
 */
export function decodeBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body)) as unknown;
  } catch {
    throw new FirstscreenError('E_MESSAGE_JSON', `A frame of ${body.length} bytes does not hold JSON in UTF-8.`, 'Report this with both versions: it is a defect of the sender.');
  }
}

/** The frame of one message. @throws FirstscreenError E_FRAME_TOO_LARGE */
export function encodeMessage(message: object): Uint8Array {
  return encodeFrame(Buffer.from(JSON.stringify(message)), MAX_FRAME_BYTES);
}
