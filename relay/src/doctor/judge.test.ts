import { describe, expect, it } from 'vitest';
import type { Check } from '../../../shared/src/check.ts';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { judge, type RelayFacts } from './judge.ts';

const GOOD: RelayFacts = {
  release: '1.2.3',
  now: new Date('2026-11-26T12:00:00Z'),
  certificate: { from: new Date('2026-11-01'), to: new Date('9999-12-31') },
  clients: 1,
  port: 4433,
  note: { pid: 7, release: '1.2.3', port: 4433, proxyPort: null, lowatBytes: 16_384, congestion: 'bbr' },
  isAlive: true,
  answer: 'relay',
  sysctls: { available: 'reno cubic bbr', slowStartAfterIdle: '1' },
  proxy: null,
  publicFamilies: [4, 6],
  encodesPictures: true,
};
const faults = (change: Partial<RelayFacts>): Check[] => judge({ ...GOOD, ...change }).filter(({ verdict }) => verdict !== 'pass');
const note = (change: Partial<NonNullable<RelayFacts['note']>>): Partial<RelayFacts> => ({ note: { pid: 7, release: '1.2.3', port: 4433, proxyPort: null, lowatBytes: 16_384, congestion: 'bbr', ...change } });

describe('doctor', () => {
  it('finds nothing wrong with a relay that is as it should be', () => {
    expect(faults({})).toEqual([]);
    expect(faults({ publicFamilies: [4] })).toEqual([]);
  });

  it.each<[string, Partial<RelayFacts>, Check['verdict'], string, RegExp, RegExp]>([
    ['a clock that is off', { now: new Date('2020-01-01') }, 'fail', 'clock', /2020-01-01/, /timedatectl/],
    ['a key that has ended', { certificate: { from: new Date('2026-01-01'), to: new Date('2026-02-01') } }, 'fail', 'key', /ended on 2026-02-01/, /firstscreen-relay init/],
    ['a proxy whose certificate can not be used', { proxy: new FirstscreenError('E_RELAY_CERTIFICATE', 'It has ended.', 'Renew it.') }, 'fail', 'proxy of browsers', /^It has ended/, /^Renew/],
    ['a proxy that is not served', { proxy: { to: new Date('2027-01-01') } }, 'fail', 'proxy of browsers', /does not serve it/, /ListenStream=/],
    ['a proxy whose certificate ends soon', { ...note({ proxyPort: 8443 }), proxy: { to: new Date('2026-11-30') } }, 'warn', 'proxy of browsers', /ends on 2026-11-30/, /renewed/],
    ['an older release that runs', note({ release: '1.2.2' }), 'warn', 'process', /1\.2\.2 runs, 1\.2\.3/, /restart/],
    ['another program on the port', { answer: 'other' }, 'fail', 'port', /another program/, /ss -ltnp/],
    ['a closed port', { answer: 'refused' }, 'fail', 'port', /nobody listens on 4433/, /systemctl start/],
    ['a port that drops', { answer: 'silent' }, 'fail', 'port', /dropped/, /ufw allow 4433/],
    ['a kernel without BBR', { ...note({ congestion: 'reno' }), sysctls: { available: 'reno cubic', slowStartAfterIdle: '0' } }, 'warn', 'congestion control', /^reno.*not offer bbr/, /modprobe tcp_bbr/],
    ['connections without BBR', { ...note({ congestion: 'cubic' }), sysctls: { ...GOOD.sysctls, slowStartAfterIdle: '0' } }, 'warn', 'congestion control', /^cubic/, /TCPCongestion=bbr.*tcp_congestion_control=bbr/],
    ['unsent bytes without a limit', note({ lowatBytes: null }), 'warn', 'unsent bytes', /as a buffer has/, /tcp_notsent_lowat=16384/],
    ['too many unsent bytes', note({ lowatBytes: 131_072 }), 'warn', 'unsent bytes', /131072/, /perl/],
    ['a machine behind a router', { publicFamilies: [] }, 'warn', 'addresses', /behind a router/, /4433/],
    ['pictures that stay as they are', { encodesPictures: false }, 'warn', 'pictures', /sharp/, /node_modules.*anew/],
    ['a relay that knows nobody', { clients: 0 }, 'warn', 'helpers', /none/, /relay add/],
  ])('tells of %s', (_case, change, verdict, name, detail, next) => {
    expect(faults(change)).toEqual([{ verdict, name, detail: expect.stringMatching(detail) as string, next: expect.stringMatching(next) as string }]);
  });

  it('tells of a slow start after a pause where BBR does not spare it', () => {
    expect(faults(note({ congestion: 'cubic' })).map(({ name }) => name)).toEqual(['congestion control', 'idle']);
  });

  it.each([[{ note: null }], [{ isAlive: false }]])('tells of a relay that does not run, once as a failure: %j', (change) => {
    expect(faults({ ...change, answer: 'refused' }).map(({ verdict, name }) => `${verdict} ${name}`)).toEqual(['fail process', 'fail port']);
  });

  it('names the address that is missing', () => {
    const detail = (publicFamilies: readonly (4 | 6)[]) => judge({ ...GOOD, publicFamilies }).find(({ name }) => name === 'addresses')?.detail;
    expect([detail([4]), detail([6])]).toEqual(['public IPv4, no public IPv6', 'public IPv6, no public IPv4: networks without IPv6 do not reach it']);
  });
});
