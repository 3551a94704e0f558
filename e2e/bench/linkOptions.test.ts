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

  it('makes a link of a rate and a round trip', () => {
    expect(linkOptions(customProfile(800, 75))).toEqual(['--profile', 'lossless', '--down-rate', '800000', '--up-rate', '800000', '--down-delay', '37.5', '--up-delay', '37.5']);
  });
});
