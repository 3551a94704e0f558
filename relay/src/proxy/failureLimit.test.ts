import { expect, it } from 'vitest';
import { FailureLimit } from './failureLimit.ts';

it('locks a network after ten wrong tokens, for a minute from the first one on, and no other', () => {
  let nowMs = 1_000;
  const limit = new FailureLimit(() => nowMs);
  for (let n = 0; n < 9; n += 1) limit.failed('2001:db8:1:2::1');
  expect(limit.isLocked('2001:db8:1:2::1')).toBe(false);
  nowMs += 30_000;
  limit.failed('2001:db8:1:2:ffff::9');
  expect(['2001:db8:1:2::1', '2001:db8:1:3::1', '192.0.2.1'].map((address) => limit.isLocked(address))).toEqual([true, false, false]);
  nowMs += 30_001;
  expect(limit.isLocked('2001:db8:1:2::1')).toBe(false);
});

it('takes an IPv4 address in IPv6 for the same', () => {
  const limit = new FailureLimit(() => 1);
  for (let n = 0; n < 10; n += 1) limit.failed('::ffff:192.0.2.1');
  expect(limit.isLocked('192.0.2.1')).toBe(true);
});
