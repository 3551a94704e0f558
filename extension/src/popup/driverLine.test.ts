import { describe, expect, it } from 'vitest';
import type { RunningDriver } from '../../../shared/src/protocol/driverReportSchema.ts';
import { describeDriver } from './driverLine.ts';

const COUNTERS = { messages: 128, copies: 256, copyBytes: 31_400 };
const RUNNING: RunningDriver = { state: 'running', isRegistered: true, interfaces: ['wlan0'], features: [{ name: 'RAR', level: 'full', reason: '' }], counters: COUNTERS };
const counting = (counters: Partial<typeof COUNTERS>): RunningDriver => ({ ...RUNNING, counters: { ...COUNTERS, ...counters } });

describe('what the popup says of the driver', () => {
  it('is nothing where nothing is known', () => expect(describeDriver(null)).toBeNull());

  it('is where it protects, and what it has sent', () => {
    expect(describeDriver(RUNNING)).toEqual({ state: 'good', text: 'Driver protects small messages on wlan0', detail: '128 messages, 256 copies (31 kB) since it began', nextStep: null, limits: null });
  });

  it.each([
    [{ messages: 0, copies: 0, copyBytes: 0 }, 'None yet: it acts on the helper\'s connections.'],
    [{ messages: 1, copies: 1, copyBytes: 60 }, '1 message, 1 copy (60 bytes) since it began'],
    [{ messages: 2, copies: 4, copyBytes: 1_260 }, '2 messages, 4 copies (1.3 kB) since it began'],
    [{ messages: 20_000, copies: 40_000, copyBytes: 23_400_000 }, '20000 messages, 40000 copies (23 MB) since it began'],
  ])('counts as people do: %j', (counters, detail) => expect(describeDriver(counting(counters))?.detail).toBe(detail));

  it.each([
    [['wlan0', 'eth0', 'wwan0'], 'wlan0, eth0, wwan0'],
    [['wlan0', 'eth0', 'wwan0', 'veth1'], 'wlan0, eth0 and 2 more'],
  ])('names interfaces while they fit: %j', (interfaces, text) => expect(describeDriver({ ...RUNNING, interfaces })?.text).toBe(`Driver protects small messages on ${text}`));

  it.each([
    ['there is none', { state: 'none' }, 'absent', 'sudo systemctl start firstscreen-driver'],
    ['it is not open to the user', { state: 'closed' }, 'fault', 'sudo adduser "$USER" firstscreen'],
    ['it is of another release', { state: 'unknownVersion' }, 'fault', null],
    ['it does not answer', { state: 'silent' }, 'fault', 'firstscreen-helper doctor'],
    ['it is on no interface', { ...RUNNING, interfaces: [] }, 'fault', 'firstscreen-driverd status'],
    ['it does not act on the helper', { ...RUNNING, isRegistered: false }, 'fault', 'firstscreen-driverd status'],
  ] as const)('claims no protection, and says what to do, when %s', (_, report, state, nextStep) => {
    const line = describeDriver('interfaces' in report ? { ...report, interfaces: [...report.interfaces] } : report);
    expect(line).toMatchObject({ state, nextStep });
    expect(line?.text).not.toContain('protects');
  });

  it('names together what lacks for one reason', () => {
    const features = [
      { name: 'RAR', level: 'full', reason: '' },
      { name: 'processes', level: 'none', reason: 'too old' },
      { name: 'cgroups', level: 'none', reason: 'not mounted' },
      { name: 'IB, spool', level: 'none', reason: 'too old' },
      { name: 'SYN time-outs', level: 'none', reason: '' },
    ] as const;
    expect(describeDriver({ ...RUNNING, features: [...features] })?.limits).toEqual({
      headline: '4 of 5 features limited',
      reasons: ['Not supported: processes; IB, spool (too old)', 'Not supported: cgroups (not mounted)', 'Not supported: SYN time-outs'],
    });
  });
});
