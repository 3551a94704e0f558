import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SendWindows } from './sendWindows.ts';

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const DEFAULT_BYTES = 65_535;

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header.writeUInt8(type, 3);
  header.writeUInt8(flags, 4);
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, payload]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const headers = (stream: number): Buffer => frame(0x1, 0x4, stream, Buffer.alloc(3));
const windowUpdate = (stream: number, bytes: number): Buffer => frame(0x8, 0, stream, uint32(bytes));
const settings = (initialBytes: number): Buffer => frame(0x4, 0, 0, Buffer.concat([Buffer.from([0, 0x2, 0, 0, 0, 0, 0, 0x4]), uint32(initialBytes)]));
const data = (length: number): Buffer => frame(0x0, 0, 1, Buffer.alloc(length, 8));
const acknowledgement = frame(0x4, 0x1, 0, Buffer.alloc(0));

function windowsAfter(...frames: readonly Buffer[]): SendWindows {
  const windows = new SendWindows(() => undefined);
  windows.read(Buffer.concat([PREFACE, ...frames]));
  return windows;
}

it('a stream has what the other side says, less what was sent', () => {
  const windows = windowsAfter(settings(1_000), acknowledgement, data(500), headers(1), windowUpdate(1, 50));
  expect(windows.roomOf(1)).toBe(1_050);
  windows.sent(1, 1_040);
  expect(windows.roomOf(1)).toBe(10);
});

it('all streams together have the window of the connection', () => {
  const windows = windowsAfter(settings(1_000_000), headers(1), headers(3));
  windows.sent(1, DEFAULT_BYTES);
  expect([windows.roomOf(1), windows.roomOf(3)]).toEqual([0, 0]);
  windows.read(windowUpdate(0, 77));
  expect([windows.roomOf(1), windows.roomOf(3)]).toEqual([77, 77]);
});

it('another initial window counts for streams that are open, which may owe bytes then', () => {
  const windows = windowsAfter(settings(1_000), headers(1));
  windows.sent(1, 900);
  windows.read(settings(500));
  expect(windows.roomOf(1)).toBe(0);
  windows.read(windowUpdate(1, 500));
  expect(windows.roomOf(1)).toBe(100);
});

it('credit that comes with the request counts, and none of a stream that is over or was never there', () => {
  const windows = windowsAfter(settings(0), headers(1), windowUpdate(1, 9), headers(3), windowUpdate(3, 9), windowUpdate(99, 9));
  windows.opened(3, () => false);
  windows.closed(3);
  windows.read(windowUpdate(3, 9));
  expect([windows.roomOf(1), windows.roomOf(3), windows.roomOf(99)]).toEqual([0, 0, 0]);
});

it('says whether there may be more room', () => {
  const windows = new SendWindows(() => undefined);
  expect([windows.read(PREFACE), windows.read(data(40)), windows.read(windowUpdate(0, 1)), windows.read(acknowledgement)]).toEqual([false, false, true, false]);
});

it('tells which streams were broken off', () => {
  const broken: number[] = [];
  new SendWindows((stream) => broken.push(stream)).read(Buffer.concat([PREFACE, headers(1), headers(3), frame(0x3, 0, 3, uint32(8)), data(9)]));
  expect(broken).toEqual([3]);
});

it('is the same whatever pieces all comes in, also of what is no HTTP/2 at all', () => {
  const frames = fc.array(
    fc.oneof(
      fc.nat(4).map((n) => headers(2 * n + 1)),
      fc.tuple(fc.nat(9), fc.nat(0x7fff_ffff)).map(([stream, bytes]) => windowUpdate(stream, bytes)),
      fc.nat(0x7fff_ffff).map(settings),
      fc.nat(70).map(data),
      fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
    ),
    { maxLength: 10 },
  );
  fc.assert(
    fc.property(frames, fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }), (made, sizes) => {
      const bytes = Buffer.concat([PREFACE, ...made]);
      const [whole, parted] = [windowsAfter(...made), new SendWindows(() => undefined)];
      for (let at = 0, n = 0; at < bytes.length; n += 1) {
        const size = sizes[n % sizes.length] ?? 1;
        parted.read(bytes.subarray(at, at + size));
        at += size;
      }
      for (let stream = 0; stream < 12; stream += 1) expect(parted.roomOf(stream)).toBe(whole.roomOf(stream));
    }),
  );
});
