import { describe, expect, it } from 'vitest';
import { choices, commandOptions, congestion, flag, LINK, optional, whole } from './commandOptions.ts';

const OPTIONS = commandOptions('bench:x -- y', 'What it does.', {
  link: LINK,
  congestion: congestion('reno,bbr'),
  kinds: choices('kinds A,B', 'of what', ['a', 'b']),
  warmUpSeconds: whole('warm-up N', `seconds before, ${'word '.repeat(20)}`, 5, 0, 10),
  name: optional('name NAME', 'of it', (text, option) => `${option} ${text}`),
  quick: flag('quick', 'less of all'),
});

describe('options of a command', () => {
  it('have their usual values where they are not given', () => {
    expect(OPTIONS.parse([], 'out/x')).toEqual({ link: [], congestion: ['reno', 'bbr'], kinds: ['a', 'b'], warmUpSeconds: 5, name: null, quick: false, out: 'out/x' });
  });

  it('are read by their names', () => {
    const argv = ['--link= --queue  50p ', '--congestion', 'cubic', '--kinds', 'b', '--warm-up', '0', '--name', 'z', '--quick', '--out', 'o'];
    expect(OPTIONS.parse(argv, 'out/x')).toEqual({ link: ['--queue', '50p'], congestion: ['cubic'], kinds: ['b'], warmUpSeconds: 0, name: '--name z', quick: true, out: 'o' });
  });

  it('may be a wish for help', () => {
    for (const wish of ['--help', '-h']) expect(OPTIONS.parse([wish], 'x')).toBeNull();
  });

  it.each([['--other', '1'], ['word'], ['--warm-up'], ['--warm-up', '11'], ['--kinds', 'c'], ['--quick=1'], ['--congestion', 'reno,']])('are refused with a code: %s %s', (...argv) => {
    expect(() => OPTIONS.parse(argv, 'x')).toThrow(expect.objectContaining({ code: 'E_OPTION', next: expect.stringMatching(/./) as string }) as Error);
  });

  it('are listed, with their usual values, in lines of a terminal', () => {
    const lines = OPTIONS.usage.split('\n');
    expect(lines.slice(0, 4)).toEqual(['Usage: npm run bench:x -- y [options]', 'What it does.', '', '  --link="OPTIONS"      more for the link, as "--queue 50p" (default none)']);
    expect(OPTIONS.usage).toContain('(default 5)');
    expect(OPTIONS.usage).toContain('  --quick               less of all\n  --out DIR             where');
    expect(lines.every((line) => line.length <= 100)).toBe(true);
  });
});
