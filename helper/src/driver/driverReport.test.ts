import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { DriverReportSchema } from '../../../shared/src/protocol/driverReportSchema.ts';
import { driverStatus } from '../testing/driverStatus.ts';
import { DriverStatusSchema } from './driverMessages.ts';
import { askDriver, reportOf, stateOf } from './driverReport.ts';

const status = (changes: Readonly<Record<string, unknown>> = {}) => v.parse(DriverStatusSchema, driverStatus(changes));
const namesOf = (interfaces: unknown): unknown => {
  const report = reportOf(status({ interfaces }), true);
  return report.state === 'running' && report.interfaces;
};

describe('what the extension is told of the driver', () => {
  it('is what it supports, where, and what it has counted', () => {
    const features = [{ name: 'RAR', level: 'full' }, { name: 'IB, spool', level: 'none', reason: 'too old' }];
    expect(reportOf(status({ features }), true)).toEqual({
      state: 'running',
      isRegistered: true,
      interfaces: ['wlan0'],
      features: [{ name: 'RAR', level: 'full', reason: '' }, { name: 'IB, spool', level: 'none', reason: 'too old' }],
      counters: { messages: 128, copies: 240, copyBytes: 31_000 },
    });
  });

  it.each([
    ['none', [], []],
    ['those that it is attached to', [{ name: 'wlan0', method: 'tcx' }, { name: 'ppp0', cause: 'no' }, { name: 'eth0', method: 'clsact' }], ['wlan0', 'eth0']],
    ['without a hardware address', [{ name: 'enx00e04c680001', method: 'tcx' }, { name: 'wlp3s0', method: 'tcx' }], ['enx…', 'wlp3s0']],
  ])('of interfaces %s', (_, interfaces, names) => expect(namesOf(interfaces)).toEqual(names));

  it('fits its schema, whatever the driver says', () => {
    const count = fc.nat({ max: Number.MAX_SAFE_INTEGER });
    const long = fc.string({ maxLength: 400 });
    const told = fc.record({
      features: fc.array(fc.record({ name: long, level: fc.constantFrom('full' as const, 'none' as const), reason: long }), { maxLength: 100 }),
      interfaces: fc.array(fc.record({ name: long, method: long, cause: long }), { maxLength: 100 }),
      counters: fc.record({ rar: fc.record({ messages: count, copies: count, copyBytes: count }) }),
    });
    fc.assert(fc.property(told, (one) => v.is(DriverReportSchema, reportOf(one, false))));
  });
});

describe('a driver that is asked how it stands', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'firstscreen-driver-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  async function stateFor(answer: string): Promise<string> {
    const path = join(directory, 'driver.sock');
    const server = createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.end(answer))).listen(path);
    try {
      await askDriver(path);
      return 'running';
    } catch (error) {
      return stateOf(error);
    } finally {
      server.close();
    }
  }

  const answered = (payload: unknown, type = 'ok', version = 1): string => `${JSON.stringify({ v: version, id: 1, type, payload })}\n`;
  const counting = (rar: object): string => answered(driverStatus({ counters: { rar, programs: {} } }));

  it.each([
    ['is there', answered(driverStatus()), 'running'],
    ['counts other things', counting({ packets: 1 }), 'unknownVersion'],
    ['counts in text', counting({ messages: '128' }), 'unknownVersion'],
    ['counts below nothing', counting({ messages: -1 }), 'unknownVersion'],
    ['tells nothing', answered(null), 'unknownVersion'],
    ['speaks another version', answered(driverStatus(), 'ok', 2), 'unknownVersion'],
    ['speaks no JSON', 'hello\n', 'unknownVersion'],
    ['refuses', answered({ code: 'E_DRIVER_LIMIT', message: 'too many', next: 'close some' }, 'error'), 'silent'],
    ['hangs up', '', 'silent'],
  ])('and %s', async (_, answer, state) => expect(await stateFor(answer)).toBe(state));

  it('and is not there', async () => {
    await expect(askDriver(join(directory, 'none.sock')).catch(stateOf)).resolves.toBe('none');
  });

  it('and is open to its group only', () => {
    const cause = Object.assign(new Error('permission'), { code: 'EACCES' });
    expect(stateOf(new FirstscreenError('E_DRIVER_UNAVAILABLE', 'no', 'none', { cause }))).toBe('closed');
  });
});
