import type { ServerHttp2Stream } from 'node:http2';
import * as v from 'valibot';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { ControlLines, parseControlLine } from '../../../shared/src/relay/controlLines.ts';
import { HelperControlMessage, RELAY_VERSION, type RelayControlMessage } from '../../../shared/src/relay/wire.ts';

export interface ControlTaker {
  /** A stream has another level now. */
  rank(stream: number, level: number): void;
  /** What is kept for the client is kept under this name from now on, and nothing under another one. */
  kept(name: string): void;
  /** A server is likely to be asked soon. */
  connect(origin: string): void;
  /** Something came that is no message, after which nothing more is taken. */
  refused(error: unknown): void;
}

/** Says hello on a control stream, and takes what comes on it. */
export function takeControl(stream: ServerHttp2Stream, taker: ControlTaker): void {
  const hello: RelayControlMessage = { type: 'hello', version: RELAY_VERSION, terminates: true };
  stream.respond({ ':status': 200 });
  stream.write(`${JSON.stringify(hello)}\n`);
  const lines = new ControlLines();
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    try {
      for (const line of lines.push(text)) {
        const message = parseMessage(line);
        if (message.type === 'kept') taker.kept(message.name);
        else if (message.type === 'connect') taker.connect(message.origin);
        else for (const { stream: id, level } of message.ranks) taker.rank(id, level);
      }
    } catch (error) {
      stream.removeAllListeners('data').resume();
      taker.refused(error);
    }
  });
  stream.once('end', () => stream.end());
}

/** @throws FirstscreenError E_RELAY_CONTROL */
export function parseMessage(line: string): HelperControlMessage {
  const { success, output } = v.safeParse(HelperControlMessage, parseControlLine(line));
  if (success) return output;
  throw new FirstscreenError('E_RELAY_CONTROL', 'A control message has a form that this relay does not know.', 'Use a helper and a relay of one release.');
}
