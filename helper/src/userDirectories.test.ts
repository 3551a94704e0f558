import { describe, expect, it } from 'vitest';
import { ownDirectory, xdgDirectory } from './userDirectories.ts';

const HOME = '/home/u';

describe("a user's directories", () => {
  it.each([
    ['set', '/data', '/data'],
    ['not set', undefined, '/home/u/.local/share'],
    ['empty', '', '/home/u/.local/share'],
    ['relative', 'data', '/home/u/.local/share'],
  ])('the variable is %s', (_, value, expected) => {
    expect(xdgDirectory('DATA', { home: HOME, env: { XDG_DATA_HOME: value } })).toBe(expected);
  });

  it.each([
    ['linux', 'CONFIG', '/home/u/.config/firstscreen'],
    ['linux', 'STATE', '/home/u/.local/state/firstscreen'],
    ['linux', 'CACHE', '/home/u/.cache/firstscreen'],
    ['darwin', 'CONFIG', '/home/u/Library/Application Support/Firstscreen'],
    ['darwin', 'CACHE', '/home/u/Library/Caches/Firstscreen'],
  ] as const)('on %s: %s', (platform, name, expected) => {
    expect(ownDirectory(name, { platform, home: HOME, env: { [`XDG_${name}_HOME`]: '' } })).toBe(expected);
  });
});
