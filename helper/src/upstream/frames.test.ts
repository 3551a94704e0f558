import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameBoundaries, FrameSplitter, FrameType, opensFieldBlock, priorityUpdate, windowUpdate, withInitialWindow, type Frame } from './frames.ts';

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header.writeUInt8(type, 3);
  header.writeUInt8(flags, 4);
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, payload]);
}

const frames = fc.array(fc.record({ type: fc.oneof(fc.constant(0), fc.nat(12)), flags: fc.nat(255), stream: fc.nat(9), payload: fc.uint8Array({ maxLength: 40 }) }).map((each) => frame(each.type, each.flags, each.stream, Buffer.from(each.payload))), { maxLength: 8 });
const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 });

function piecesOf(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0, n = 0; at < bytes.length; n += 1) {
    const length = lengths[n % lengths.length] ?? 1;
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

const settings = (...pairs: readonly (readonly [number, number])[]): Buffer =>
  Buffer.concat(pairs.map(([id, value]) => {
    const setting = Buffer.alloc(6);
    setting.writeUInt16BE(id, 0);
    setting.writeUInt32BE(value, 2);
    return setting;
  }));

function only(bytes: Buffer): Frame {
  const [, first] = new FrameSplitter().push(Buffer.concat([PREFACE, bytes]));
  if (first === undefined || Buffer.isBuffer(first)) throw new Error('no frame');
  return first;
}

describe('frames of HTTP/2', () => {
  it('are the same whatever pieces a client\'s come in', () => {
    fc.assert(
      fc.property(frames, sizes, (made, lengths) => {
        const splitter = new FrameSplitter();
        const parted = piecesOf(Buffer.concat([PREFACE, ...made]), lengths).flatMap((piece) => [...splitter.push(piece)]);
        expect(parted.map((each) => (Buffer.isBuffer(each) ? each : each.bytes))).toEqual([PREFACE, ...made]);
      }),
    );
  });

  it('of a server begin a piece each, nothing is kept back, and padding is told where more may come', () => {
    fc.assert(
      fc.property(frames, sizes, (made, lengths) => {
        const padding: [number, number][] = [];
        const boundaries = new FrameBoundaries((stream, bytes) => padding.push([stream, bytes]));
        let passed = 0;
        let come = 0;
        const begun = new Set<number>();
        for (const piece of piecesOf(Buffer.concat(made), lengths)) {
          come += piece.length;
          for (const part of boundaries.split(piece)) {
            begun.add(passed);
            passed += part.length;
          }
          expect(passed).toBe(come);
        }
        made.reduce((at, each) => {
          expect(begun.has(at)).toBe(true);
          return at + each.length;
        }, 0);
        const padded = made.filter((each) => each[3] === FrameType.data && ((each[4] ?? 0) & 0x9) === 0x8 && each.length > 9);
        expect(padding).toEqual(padded.map((each) => [each.readUInt32BE(5), 1 + (each[9] ?? 0)]));
      }),
    );
  });

  it('say another window of new streams, and keep what else they say', () => {
    const said = withInitialWindow(only(frame(FrameType.settings, 0, 0, settings([2, 0], [4, 16_777_216], [5, 20_000]))), 1_024);
    expect(said).toEqual(frame(FrameType.settings, 0, 0, settings([2, 0], [4, 1_024], [5, 20_000])));
    const acknowledgement = frame(FrameType.settings, 1, 0, Buffer.alloc(0));
    expect(withInitialWindow(only(acknowledgement), 1_024)).toEqual(acknowledgement);
    const data = frame(FrameType.data, 0, 1, settings([4, 7]));
    expect(withInitialWindow(only(data), 1_024)).toEqual(data);
  });

  it('give credit, and tell priorities', () => {
    expect(windowUpdate(5, 4_096)).toEqual(frame(8, 0, 5, Buffer.from([0, 0, 0x10, 0])));
    expect(priorityUpdate(7, 'u=5')).toEqual(frame(0x10, 0, 0, Buffer.from('\0\0\0\x07u=5', 'latin1')));
  });

  it('of fields belong together until their end', () => {
    expect(opensFieldBlock(only(frame(FrameType.headers, 0, 1, Buffer.alloc(3))))).toBe(true);
    expect(opensFieldBlock(only(frame(FrameType.headers, 4, 1, Buffer.alloc(3))))).toBe(false);
    expect(opensFieldBlock(only(frame(FrameType.continuation, 0, 1, Buffer.alloc(3))))).toBe(true);
    expect(opensFieldBlock(only(frame(FrameType.data, 0, 1, Buffer.alloc(3))))).toBe(false);
  });
});
