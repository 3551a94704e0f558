import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameParser, encodeFrame } from './framing.ts';

const MAX_BYTES = 4096;
const bodies = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 });

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(pieces.flatMap((piece) => [...piece]));
}

/** The stream cut at any places, empty pieces included. */
function cut(stream: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => place % (stream.length + 1)), stream.length].sort((a, b) => a - b);
  return ends.map((end, index) => stream.subarray(ends[index - 1] ?? 0, end));
}

function parseAll(parser: FrameParser, pieces: readonly Uint8Array[]): Uint8Array[] {
  return pieces.flatMap((piece) => [...parser.push(piece)]);
}

describe('FrameParser', () => {
  it('gives back what was encoded, however the stream is cut', () => {
    fc.assert(
      fc.property(bodies, fc.array(fc.nat(), { maxLength: 40 }), (sent, places) => {
        const stream = concat(sent.map((body) => encodeFrame(body, MAX_BYTES)));
        const parser = new FrameParser(MAX_BYTES);
        expect(parseAll(parser, cut(stream, places))).toEqual(sent.map((body) => new Uint8Array(body)));
        parser.end();
      }),
    );
  });

  it('takes a stream byte by byte', () => {
    const stream = encodeFrame(new Uint8Array([97, 98]), MAX_BYTES);
    expect(parseAll(new FrameParser(MAX_BYTES), cut(stream, [...stream.keys()]))).toEqual([new Uint8Array([97, 98])]);
  });

  it('does not share memory between a body and the piece that it came in', () => {
    const stream = encodeFrame(new Uint8Array([7]), MAX_BYTES);
    const [body] = parseAll(new FrameParser(MAX_BYTES), [stream]);
    stream.fill(0);
    expect(body).toEqual(new Uint8Array([7]));
  });

  it('calls every end but one between frames truncated', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 50 }), fc.nat(), (body, place) => {
        const stream = encodeFrame(body, MAX_BYTES);
        const parser = new FrameParser(MAX_BYTES);
        const receivedBytes = 1 + (place % (stream.length - 1));
        expect(parseAll(parser, [stream.subarray(0, receivedBytes)])).toEqual([]);
        expect(() => parser.end()).toThrow(expect.objectContaining({ code: 'E_FRAME_TRUNCATED', message: expect.stringContaining(`after ${receivedBytes} bytes`) as string }));
      }),
    );
  });

  it('delivers the frames before one that is too large, and refuses that one by its header alone', () => {
    const header = new Uint8Array(4);
    new DataView(header.buffer).setUint32(0, MAX_BYTES + 1, true);
    const pieces = new FrameParser(MAX_BYTES).push(concat([encodeFrame(new Uint8Array([1]), MAX_BYTES), header]));
    expect(pieces.next().value).toEqual(new Uint8Array([1]));
    expect(() => pieces.next()).toThrow(expect.objectContaining({ code: 'E_FRAME_TOO_LARGE' }));
  });

  it('passes over one that is too large, tells of it, and delivers what follows, however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 20 }), (sent, places) => {
        const limit = 20;
        const stream = concat(sent.map((body) => encodeFrame(body, MAX_BYTES)));
        const refused: string[] = [];
        const parser = new FrameParser(limit, ({ code }) => refused.push(code));
        expect(parseAll(parser, cut(stream, places))).toEqual(sent.filter(({ length }) => length <= limit).map((body) => new Uint8Array(body)));
        expect(refused).toEqual(sent.filter(({ length }) => length > limit).map(() => 'E_FRAME_TOO_LARGE'));
        parser.end();
      }),
    );
  });

  it('can not follow a stream after a length that no browser sends', () => {
    const parser = new FrameParser(MAX_BYTES, () => undefined);
    expect(() => parseAll(parser, [new Uint8Array([255, 255, 255, 255])])).toThrow(expect.objectContaining({ code: 'E_FRAME_TOO_LARGE' }));
  });

  it('never throws anything but a coded error, whatever it is fed', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 64 })), (pieces) => {
        const parser = new FrameParser(32);
        try {
          parseAll(parser, pieces);
          parser.end();
        } catch (error) {
          expect(error).toMatchObject({ name: 'FirstscreenError', code: expect.stringMatching(/^E_FRAME_/) as string });
        }
      }),
    );
  });
});

describe('encodeFrame', () => {
  it('takes a body of exactly the limit and refuses one byte more', () => {
    expect(encodeFrame(new Uint8Array(MAX_BYTES), MAX_BYTES)).toHaveLength(MAX_BYTES + 4);
    expect(() => encodeFrame(new Uint8Array(MAX_BYTES + 1), MAX_BYTES)).toThrow(expect.objectContaining({ code: 'E_FRAME_TOO_LARGE' }));
  });
});
