import { MAX_RANKS } from '../../../shared/src/protocol/native.ts';

/** Of the URLs of one message as JSON; the frame's limit is 1 MiB. */
const MAX_MESSAGE_CHARS = 250_000;
/** Of what is said beside a URL. */
const BESIDE_CHARS = 100;

/** What is told of many URLs, each message within the limits of a frame, in their order. */
export function inMessages<T>(all: readonly T[], urlOf: (each: T) => string): T[][] {
  const messages: T[][] = [];
  let chars = Infinity;
  for (const each of all) {
    // a character of a URL takes up to three bytes in UTF-8; parsed URLs are ASCII
    const nextChars = urlOf(each).length + BESIDE_CHARS;
    const message = messages.at(-1);
    if (message === undefined || message.length === MAX_RANKS || chars + nextChars > MAX_MESSAGE_CHARS) {
      messages.push([each]);
      chars = nextChars;
    } else {
      message.push(each);
      chars += nextChars;
    }
  }
  return messages;
}
