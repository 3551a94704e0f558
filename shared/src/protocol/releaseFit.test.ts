import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { misfitOf, misfitReport } from './releaseFit.ts';

describe('releases', () => {
  it.each([
    ['0.1.0', '0.1.0', null],
    ['0.1.9', '0.1.0', null],
    ['0.1.0', '0.1.9', null],
    ['0.1', '0.1.3', null],
    ['0.1.0', '0.1.0-beta', null],
    ['0.2.0', '0.1.9', 'helperOlder'],
    ['0.1.9', '0.2.0', 'extensionOlder'],
    ['1.0.0', '0.9.0', 'helperOlder'],
    ['0.10.0', '0.9.0', 'helperOlder'],
    ['2.0.0', '10.0.0', 'extensionOlder'],
    ['0.1.0', '', 'helperOlder'],
    ['0.1.0', 'x0.1.0', 'helperOlder'],
    ['v1', '0.1.0', 'extensionOlder'],
    ['', 'none', null],
  ] as const)('%j and helper %j: %j', (extension, helper, misfit) => {
    expect(misfitOf({ extension, helper })).toBe(misfit);
  });

  const version = fc.oneof(fc.string(), fc.tuple(fc.nat(), fc.nat(), fc.nat()).map((numbers) => numbers.join('.')));

  it('are seen alike from both sides, whatever they are called', () => {
    const mirrored = { helperOlder: 'extensionOlder', extensionOlder: 'helperOlder' } as const;
    fc.assert(
      fc.property(version, version, (one, other) => {
        const seen = misfitOf({ extension: one, helper: other });
        expect(misfitOf({ extension: other, helper: one })).toBe(seen === null ? null : mirrored[seen]);
      }),
    );
  });

  it('that do not fit are told with both versions and a next step', () => {
    const releases = { extension: '0.2.0', helper: '0.1.4' };
    expect(misfitReport('helperOlder', releases)).toEqual({ text: 'The helper (0.1.4) is older than the extension (0.2.0)', next: expect.stringContaining('helper') as string });
    expect(misfitReport('extensionOlder', releases)).toEqual({ text: expect.stringMatching(/0\.2\.0.*0\.1\.4/) as string, next: expect.stringContaining('extension') as string });
    expect(misfitReport('protocol', releases)).toEqual({ text: expect.not.stringContaining('0.1.4') as string, next: expect.stringContaining('both') as string });
  });
});
