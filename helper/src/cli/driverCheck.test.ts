import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { driverStatus } from '../testing/driverStatus.ts';
import { checkDriver } from './doctor.ts';

describe('doctor, of the driver', () => {
  let directory: string;
  beforeEach(() => {
    directory = temporaryDirectory();
  });

  async function checkOf(payload: unknown, type = 'ok') {
    const path = join(directory, 'driver.sock');
    const server = createServer((socket) => socket.once('data', () => socket.end(`${JSON.stringify({ v: 1, id: 1, type, payload })}\n`))).listen(path);
    try {
      return await checkDriver(path);
    } finally {
      server.close();
    }
  }

  const status = (interfaces: unknown, features: unknown = [{ name: 'RAR', level: 'full' }]) => driverStatus({ interfaces, features, registered: { process: 1 } });

  it('none is no fault', async () => {
    expect(await checkDriver(join(directory, 'none.sock'))).toMatchObject({ verdict: 'pass', detail: 'Driver not running' });
  });

  it.each([
    ['that is attached', status([{ name: 'wlan0', index: 3, method: 'tcx' }]), 'ok', 'pass', 'wlan0'],
    ['that nothing is registered with, as no browser runs', { ...status([]), registered: {} }, 'ok', 'pass', 'nothing uses it now'],
    ['that is attached to nothing', status([]), 'ok', 'warn', 'no network interface'],
    ['that could not attach', status([{ name: 'wlan0', cause: 'x' }]), 'ok', 'warn', 'no network interface; Not on wlan0 (x)'],
    ['that is attached to one of two', status([{ name: 'wlan0', index: 3, method: 'tcx' }, { name: 'ppp0', cause: 'x' }]), 'ok', 'warn', 'on wlan0; Not on ppp0 (x)'],
    ['of a kernel that has not all', status([{ name: 'wlan0', index: 3, method: 'clsact' }], [{ name: 'IB, spool', level: 'none', reason: 'too old' }]), 'ok', 'warn', 'IB, spool (too old)'],
    ['that refuses', { code: 'E_DRIVER_LIMIT', message: 'too many', next: 'close some' }, 'error', 'warn', 'E_DRIVER_LIMIT'],
    ['of another release', { other: 1 }, 'ok', 'warn', 'of an unknown version'],
  ])('one %s', async (_, payload, type, verdict, detail) => {
    const check = await checkOf(payload, type);
    expect(check).toMatchObject({ verdict, detail: expect.stringContaining(detail) as string });
    expect(check.next === null).toBe(verdict === 'pass');
  });
});
