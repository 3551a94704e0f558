import { describe, expect, it } from 'vitest';
import { PassedThrough } from './passedThrough.ts';

describe('hosts that were passed through', () => {
  it('are remembered, the last ones met when there are too many', () => {
    const passed = new PassedThrough(2);
    passed.remember('a.test');
    passed.remember('b.test');
    expect([passed.has('a.test'), passed.has('c.test')]).toEqual([true, false]);
    passed.remember('c.test');
    expect(['a.test', 'b.test', 'c.test'].map((host) => passed.has(host))).toEqual([true, false, true]);
  });
});
