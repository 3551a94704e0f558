import { beforeEach, describe, expect, it } from 'vitest';
import { OriginGain } from './originGain.ts';

const ORIGIN = 'http://a.test';
const MEBIBYTE = 1024 * 1024;
const HOUR_MS = 3_600_000;

let gain: OriginGain;
beforeEach(() => {
  gain = new OriginGain();
});

/** Bodies with losses, at so many bytes a millisecond. */
function repaired(bodies: number, rate: number, bytes = 2 * MEBIBYTE): void {
  for (let i = 0; i < bodies; i += 1) gain.measured(ORIGIN, { bytes, durationMs: bytes / rate, holes: 9 }, 0);
}

describe('what repair gains with an origin', () => {
  it('is not known at first, and repair is tried', () => expect(gain.decide(ORIGIN, MEBIBYTE, 0)).toBe('repair'));

  it('is found out by one body without it, when much has come with it', () => {
    repaired(3, 100);
    expect(gain.decide(ORIGIN, 2 * MEBIBYTE, 0)).toBe('repair');
    repaired(1, 100);
    expect(gain.decide(ORIGIN, 2 * MEBIBYTE, 0)).toBe('compare');
    expect(gain.decide(ORIGIN, 100 * MEBIBYTE, 0)).toBe('repair');
    expect(gain.decide(ORIGIN, MEBIBYTE / 8, 0)).toBe('repair');
  });

  it.each([
    ['leaves it where a body comes as fast without it', 96, 'leave'],
    ['keeps it where a body comes slower without it', 90, 'repair'],
  ])('%s, for an hour', (_, rate, decision) => {
    repaired(4, 100);
    gain.measured(ORIGIN, { bytes: 2 * MEBIBYTE, durationMs: (2 * MEBIBYTE) / rate, holes: null }, 0);
    expect(gain.decide(ORIGIN, 2 * MEBIBYTE, 1)).toBe(decision);
    expect(gain.decide('http://b.test', 2 * MEBIBYTE, 1)).toBe('repair');
    expect(gain.decide(ORIGIN, 2 * MEBIBYTE, HOUR_MS)).toBe('compare');
  });

  it('is nothing for a while where nothing is lost', () => {
    const clean = { bytes: 8 * MEBIBYTE, durationMs: 1_000, holes: 0 };
    gain.measured(ORIGIN, clean, 0);
    expect(gain.decide(ORIGIN, MEBIBYTE, 0)).toBe('repair');
    gain.measured(ORIGIN, clean, 0);
    expect(gain.decide(ORIGIN, MEBIBYTE, 0)).toBe('leave');
    expect(gain.decide(ORIGIN, MEBIBYTE, 5 * 60_000)).toBe('repair');
  });

  it('is nothing for a while where the driver can not fill its losses', () => {
    gain.refused(ORIGIN, 0);
    expect([gain.decide(ORIGIN, MEBIBYTE, 1), gain.decide(ORIGIN, MEBIBYTE, 5 * 60_000)]).toEqual(['leave', 'repair']);
  });

  it('is nothing for a while with a server that gives no ranges', () => {
    gain.answered(ORIGIN, 'none', 0);
    expect(gain.decide(ORIGIN, MEBIBYTE, 1)).toBe('leave');
    expect(gain.decide(ORIGIN, MEBIBYTE, 5 * 60_000)).toBe('repair');
    gain.answered(ORIGIN, 'single', 0);
    expect([gain.rangesOf(ORIGIN, HOUR_MS - 1), gain.rangesOf(ORIGIN, HOUR_MS)]).toEqual(['single', null]);
  });
});
