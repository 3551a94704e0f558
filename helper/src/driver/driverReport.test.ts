import fc from 'fast-check';
import { createServer } from 'node:net';
import { join } from 'node:path';
import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { DriverReportSchema } from '../../../shared/src/protocol/driverReportSchema.ts';
import { driverStatus } from '../testing/driverStatus.ts';
import { DriverStatusSchema } from './driverMessages.ts';
import { askDriver, reportOf, reportOfFailure } from './driverReport.ts';

const status = (changes: Readonly<Record<string, unknown>> = {}) => v.parse(DriverStatusSchema, driverStatus(changes));
const LIMITED = [{ name: 'RAR', level: 'full' }, { name: 'IB, spool', level: 'none', reason: 'too old' }];
const on = (...names: string[]) => ({ interfaces: names.map((name) => ({ name, method: 'tcx' })) });
const counting = (messages: number, copies: number, copyBytes: number) => ({ counters: { rar: { messages, copies, copyBytes } } });

describe('what is said of a driver that runs', () => {
  it('is where it protects, what it has sent, and what this machine does not allow', () => {
    const interfaces = [{ name: 'wlan0', method: 'tcx' }, { name: 'ppp0', cause: 'no' }];
    expect(reportOf(status({ features: LIMITED, interfaces }), true)).toEqual({
      state: 'good',
      text: 'Driver protects small messages on wlan0',
      detail: '128 messages, 240 copies (31 kB) since it began',
      nextStep: null,
      limits: ['Not supported: IB, spool (too old)', 'Not on ppp0 (no)'],
    });
  });

  it.each([
    [counting(0, 0, 0), "None yet: it acts on the helper's connections."],
    [counting(1, 1, 60), '1 message, 1 copy (1 kB) since it began'],
    [{ counters: { rar: { messages: 0, copies: 0, copyBytes: 0 }, fwp: { holes: 1, holeBytes: 1_448 } } }, '1 loss left to repair (1 kB) since it began'],
  ])('counts as people do: %j', (changes, detail) => expect(reportOf(status(changes), true).detail).toBe(detail));

  it('names interfaces without hardware addresses', () => expect(reportOf(status(on('enx00e04c680001', 'wlp3s0')), true).text).toContain(' on enx…, wlp3s0'));

  it.each([
    ['is on no interface', { ...on(), registered: { process: 1 } }, true],
    ['does not act on the helper', on('wlan0'), false],
    ['acts on nothing, nor on the helper', on(), false],
  ])('claims no protection, and says what to do, when it %s', (_, changes, isRegistered) => {
    const report = reportOf(status(changes), isRegistered);
    expect(report).toMatchObject({ state: 'fault', nextStep: 'firstscreen-driverd status' });
    expect(report.text).not.toContain('protects');
  });

  it('fits its schema, whatever the driver says', () => {
    const count = fc.nat({ max: Number.MAX_SAFE_INTEGER });
    const long = fc.string({ maxLength: 400 });
    const told = fc.record({
      features: fc.array(fc.record({ name: long, level: fc.constantFrom('full' as const, 'none' as const), reason: long }), { maxLength: 100 }),
      interfaces: fc.array(fc.record({ name: long, method: long, cause: long }), { maxLength: 100 }),
      registered: fc.dictionary(long, count),
      counters: fc.record({ rar: fc.record({ messages: count, copies: count, copyBytes: count }) }),
    });
    fc.assert(fc.property(told, (one) => v.is(DriverReportSchema, reportOf(one, false))));
  });
});

describe('a driver that is asked how it stands', () => {
  let directory: string;
  beforeEach(() => {
    directory = temporaryDirectory();
  });

  async function saidOf(answer: string): Promise<string> {
    const path = join(directory, 'driver.sock');
    const server = createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.end(answer))).listen(path);
    try {
      return (await askDriver(path).then((answered) => reportOf(answered, true), reportOfFailure)).text;
    } finally {
      server.close();
    }
  }

  const answered = (payload: unknown, type = 'ok', version = 1): string => `${JSON.stringify({ v: version, id: 1, type, payload })}\n`;
  const countingOther = (rar: object): string => answered(driverStatus({ counters: { rar } }));

  it.each([
    ['is there', answered(driverStatus()), 'Driver protects small messages on wlan0'],
    ['counts other things', countingOther({ packets: 1 }), 'Driver of an unknown version'],
    ['counts in text', countingOther({ messages: '128' }), 'Driver of an unknown version'],
    ['counts below nothing', countingOther({ messages: -1 }), 'Driver of an unknown version'],
    ['tells nothing', answered(null), 'Driver of an unknown version'],
    ['speaks another version', answered(driverStatus(), 'ok', 2), 'Driver of an unknown version'],
    ['speaks no JSON', 'hello\n', 'Driver of an unknown version'],
    ['refuses', answered({ code: 'E_DRIVER_LIMIT', message: 'too many', next: 'close some' }, 'error'), 'Driver does not answer'],
    ['hangs up', '', 'Driver does not answer'],
  ])('and %s', async (_, answer, text) => expect(await saidOf(answer)).toBe(text));

  it('and is not there', async () => {
    await expect(askDriver(join(directory, 'none.sock')).catch(reportOfFailure)).resolves.toMatchObject({ state: 'absent', nextStep: 'sudo systemctl start firstscreen-driver' });
  });

  it('and is open to its group only', () => {
    const cause = Object.assign(new Error('permission'), { code: 'EACCES' });
    expect(reportOfFailure(new FirstscreenError('E_DRIVER_UNAVAILABLE', 'no', 'none', { cause }))).toMatchObject({ state: 'fault', nextStep: 'sudo adduser "$USER" firstscreen' });
  });
});
