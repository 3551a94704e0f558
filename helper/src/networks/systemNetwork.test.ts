import { expect, it } from 'vitest';
import { networkLook } from './systemNetwork.ts';

const ROUTES = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask';
const route = (interfaceName: string, gateway = '0101A8C0'): string => `${ROUTES}\n${interfaceName}\t00000000\t${gateway}\t0003\t0\t0\t100\t00000000\n`;
const neighbour = (hardwareAddress: string, interfaceName = 'wlan0', flags = '0x2'): string => `IP address HW type Flags HW address Mask Device\n192.168.1.1 0x1 ${flags} ${hardwareAddress} * ${interfaceName}\n`;

const [HOME, CAFE] = ['94:a6:7e:01:02:03', '94:a6:7e:0a:0b:0c'];
const AT_HOME = { routes: route('wlan0'), neighbours: neighbour(HOME), tunnels: [] as string[] };

function lookOf(first: typeof AT_HOME): { at: (now: Partial<typeof AT_HOME>) => string | null } {
  let now = first;
  const look = networkLook({ tables: () => ({ ...now, ipv6Routes: '' }), tunnels: () => now.tunnels });
  return {
    at(next) {
      now = { ...first, ...next };
      return look();
    },
  };
}

it.each<[string, Partial<typeof AT_HOME>]>([
  ['the other gateway of that address', { neighbours: neighbour(CAFE) }],
  ['a cable to the same gateway', { routes: route('eth0'), neighbours: neighbour(HOME, 'eth0') }],
  ['a tunnel that is up', { tunnels: ['wg0'] }],
])('is another network by %s', (_, change) => {
  const look = lookOf(AT_HOME);
  const home = look.at({});
  expect(home).not.toBeNull();
  expect(look.at(change)).not.toBe(home);
  expect(look.at({}), 'and the same one again').toBe(home);
});

it('stays the same while the kernel asks for the address of the gateway again, and only then', () => {
  const look = lookOf({ ...AT_HOME, tunnels: ['b', 'a'] });
  const asking = neighbour('00:00:00:00:00:00', 'wlan0', '0x0');
  expect(look.at({ neighbours: asking }), 'not known yet').toBeNull();
  const home = look.at({});
  expect(look.at({ neighbours: asking, tunnels: ['a', 'b'] })).toBe(home);
  expect(look.at({ neighbours: asking })).toBe(home);
  expect(look.at({ routes: `${ROUTES}\n` }), 'no network').toBeNull();
  expect(look.at({ neighbours: asking }), 'perhaps another one with that address').toBeNull();
});

it('looks at this machine', () => {
  const look = networkLook();
  expect(look()).toBe(look());
});
