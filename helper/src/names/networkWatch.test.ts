import { expect, it, vi } from 'vitest';
import { changeBetween, watchNetwork } from './networkWatch.ts';

const FIRST = { addresses: ['192.0.2.1', '2001:db8::1'], awakeMs: 1_000, bootMs: 501_000 };

it.each([
  ['nothing has happened', { ...FIRST, awakeMs: 3_000, bootMs: 503_000 }, null],
  ['the order is another', { ...FIRST, addresses: ['2001:db8::1', '192.0.2.1'] }, null],
  ['the process had to wait', { ...FIRST, awakeMs: 61_000, bootMs: 561_010 }, null],
  ['the machine has slept', { ...FIRST, awakeMs: 3_000, bootMs: 603_000 }, 'slept'],
  ['it has slept, and is elsewhere', { addresses: ['198.51.100.1'], awakeMs: 3_000, bootMs: 603_000 }, 'slept'],
  ['an address is gone', { ...FIRST, addresses: ['192.0.2.1'] }, 'moved'],
  ['an address has come', { ...FIRST, addresses: [...FIRST.addresses, '198.51.100.1'] }, 'moved'],
  ['one for another', { ...FIRST, addresses: ['192.0.2.1', '2001:db8::2'] }, 'moved'],
  ['the link is down', { ...FIRST, addresses: [] }, 'moved'],
])('%s', (_, moment, expected) => {
  expect(changeBetween(FIRST, moment)).toBe(expected);
  expect(changeBetween(moment, { ...moment, awakeMs: moment.awakeMs + 2_000, bootMs: moment.bootMs + 2_000 }), 'once').toBeNull();
});

it('a machine that does not tell its addresses is where it was', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const told: unknown[] = [];
  let addresses: string[] | null = ['192.0.2.1'];
  const watching = watchNetwork(() => told.push('changed'), () => told.push('looked'), () => {
    if (addresses === null) throw new Error('uv_interface_addresses returned EMFILE');
    return addresses;
  });
  for (const seen of [null, ['192.0.2.1'], ['192.0.2.2']]) {
    addresses = seen;
    vi.advanceTimersByTime(2_000);
  }
  clearInterval(watching);
  vi.useRealTimers();
  expect(told).toEqual(['looked', 'looked', 'changed', 'looked']);
});
