import * as v from 'valibot';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { MAX_CONTROL_LINE_BYTES, RelayControlMessage } from '../../../shared/src/relay/wire.ts';

const NEWLINE = 0x0a;

/** Messages of the relay's from the bytes of its control stream. */
export class ControlLines {
  private pending = Buffer.alloc(0);

  /** @throws FirstscreenError E_RELAY_UNAVAILABLE for what is no message */
  push(chunk: Buffer): RelayControlMessage[] {
    const messages: RelayControlMessage[] = [];
    this.pending = Buffer.concat([this.pending, chunk]);
    for (let end = this.pending.indexOf(NEWLINE); end >= 0; end = this.pending.indexOf(NEWLINE)) {
      messages.push(parseMessage(this.pending.subarray(0, end)));
      this.pending = this.pending.subarray(end + 1);
    }
    if (this.pending.length > MAX_CONTROL_LINE_BYTES) throw nonsense();
    return messages;
  }
}

function parseMessage(line: Buffer): RelayControlMessage {
  if (line.length > MAX_CONTROL_LINE_BYTES) throw nonsense();
  try {
    return v.parse(RelayControlMessage, JSON.parse(line.toString()));
  } catch (cause) {
    throw nonsense(cause);
  }
}

function nonsense(cause?: unknown): FirstscreenError {
  return new FirstscreenError('E_RELAY_UNAVAILABLE', 'The relay says what a relay of this version does not.', 'Bring helper and relay to one release.', { cause });
}
