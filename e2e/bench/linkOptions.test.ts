import { describe, expect, it } from 'vitest';
import { customProfile, linkOptions } from './linkOptions.ts';

describe('linkOptions', () => {
  it('leaves names to the link, which knows them', () => {
    expect(linkOptions('3g-fast')).toEqual(['--profile', '3g-fast']);
    expect(linkOptions('800kbit')).toEqual(['--profile', '800kbit']);
  });

  it('puts half of the hosts farther away', () => {
    expect(linkOptions('3g-fast-far80ms')).toEqual(['--profile', '3g-fast', '--server-delay', '20.100.128.0/17=80']);
    expect(linkOptions('800kbit-75ms-far80ms').slice(-2)).toEqual(['--server-delay', '20.100.128.0/17=80']);
  });

  it.each([
    ['3g-fast-loss5', ['--profile', '3g-fast', '--loss', '0.05']],
    ['wlan-loss0', ['--profile', 'wlan', '--loss', '0']],
    ['3g-fast-loss2-far80ms', ['--profile', '3g-fast', '--loss', '0.02', '--server-delay', '20.100.128.0/17=80']],
    ['3g-fast-burst2', ['--profile', '3g-fast', '--gilbert', '2400,100,0,0.5']],
    ['3g-fast-burst5', ['--profile', '3g-fast', '--gilbert', '900,100,0,0.5']],
    ['3g-fast-burst8', ['--profile', '3g-fast', '--gilbert', '525,100,0,0.5']],
  ])('loses packets by itself and in fades: %s', (profile, options) => {
    expect(linkOptions(profile)).toEqual(options);
  });

  it('loses as much in fades as is asked for', () => {
    for (const percent of [1, 2, 5, 8, 20, 40]) {
      const [good = 0, bad = 0, , loss = 0] = linkOptions(`3g-fast-burst${percent}`).at(-1)?.split(',').map(Number) ?? [];
      expect((100 * loss * bad) / (good + bad)).toBeCloseTo(percent, 1);
    }
  });

  it('polices each connection', () => {
    expect(linkOptions('3g-fast-policed400')).toEqual(['--profile', '3g-fast', '--police', '400000']);
  });

  it('makes a link of a rate and a round trip', () => {
    expect(linkOptions(customProfile(800, 75))).toEqual(['--profile', 'lossless', '--down-rate', '800000', '--up-rate', '800000', '--down-delay', '37.5', '--up-delay', '37.5']);
  });
});
