import { FirstscreenError } from '../errors.ts';
import { MAX_CONTROL_LINE_BYTES } from './wire.ts';

/** Parts the text of a control stream into lines, whatever pieces it comes in. */
export class ControlLines {
  private rest = '';

  /** @returns the lines that are whole now. @throws FirstscreenError E_RELAY_CONTROL for one that is too long, after which nothing can be followed */
  push(text: string): string[] {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    if ([...lines, this.rest].some((line) => line.length > MAX_CONTROL_LINE_BYTES)) {
      throw new FirstscreenError('E_RELAY_CONTROL', 'A control message is too long.', 'Make it shorter.');
    }
    return lines;
  }
}

/** The value of a line. @throws FirstscreenError E_RELAY_CONTROL for one that is no JSON */
export function parseControlLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new FirstscreenError('E_RELAY_CONTROL', 'A control message is no JSON.', 'Send one message a line.', { cause });
  }
}
