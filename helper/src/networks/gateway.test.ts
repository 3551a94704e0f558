import { describe, expect, it } from 'vitest';
import { gatewayOf, type KernelTables } from './gateway.ts';

/** Columns as the kernel writes them: proc(5). */
const ROUTES = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT';
const NEIGHBOURS = 'IP address       HW type     Flags       HW address            Mask     Device';
const ROUTER = '94:a6:7e:01:02:03';

const byCable = 'enp3s0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0';
const byRadio = 'wlp2s0\t00000000\t010A0A0A\t0003\t0\t0\t600\t00000000\t0\t0\t0';
const ownNetwork = 'enp3s0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0';
const byModem = 'wwan0\t00000000\t00000000\t0001\t0\t0\t50\t00000000\t0\t0\t0';
const refused = '*\t00000000\t00000000\t0200\t0\t0\t1\t00000000\t0\t0\t0';
const halves = ['tun0\t00000000\t0100080A\t0003\t0\t0\t0\t00000080\t0\t0\t0', 'tun0\t00000080\t0100080A\t0003\t0\t0\t0\t00000080\t0\t0\t0'];
const neighbours = [`192.168.1.1      0x1         0x2         ${ROUTER}     *        enp3s0`, '10.10.10.1       0x1         0x2         94:A6:7E:0A:0B:0C     *        wlp2s0'];

const ANY = '0'.repeat(32);
const ipv6Route = (gateway: string, interfaceName: string, [metric, flags] = ['00000064', '00000003']): string => `${ANY} 00 ${ANY} 00 ${gateway} ${metric} 00000001 00000000 ${flags} ${interfaceName.padStart(8)}`;
const refusedIpv6 = ipv6Route(ANY, 'lo', ['ffffffff', '00200200']);
/** fe80::96a6:7eff:fe01:203, made of its hardware address. */
const IPV6_ROUTER = 'fe8000000000000096a67efffe010203';

function tables(routes: readonly string[], ofIpv6: readonly string[] = [], known: readonly string[] = neighbours): KernelTables {
  const text = (head: string, lines: readonly string[]): string => `${[head, ...lines].join('\n')}\n`;
  return { routes: text(ROUTES, routes), neighbours: text(NEIGHBOURS, known), ipv6Routes: ofIpv6.map((line) => `${line}\n`).join('') };
}

const cable = { interfaceName: 'enp3s0', address: '192.168.1.1', hardwareAddress: ROUTER };
const radio = { interfaceName: 'wlp2s0', address: '10.10.10.1', hardwareAddress: '94:a6:7e:0a:0b:0c' };

describe('gatewayOf', () => {
  it.each<[string, KernelTables, unknown]>([
    ['the one of the default route', tables([byCable, ownNetwork]), cable],
    ['that of the least metric', tables([byRadio, byCable]), cable],
    ['also in another order, and in capitals', tables([byRadio, ownNetwork]), radio],
    ['without its hardware address while the kernel asks for it', tables([byCable], [], ['192.168.1.1      0x1         0x0         00:00:00:00:00:00     *        enp3s0']), { ...cable, hardwareAddress: null }],
    ['without it where another interface has a neighbour of that address', tables([byCable], [], [`192.168.1.1      0x1         0x2         ${ROUTER}     *        docker0`]), { ...cable, hardwareAddress: null }],
    ['the router of IPv6, by its address', tables([], [refusedIpv6, ipv6Route(IPV6_ROUTER, 'wlp2s0')]), { interfaceName: 'wlp2s0', address: IPV6_ROUTER, hardwareAddress: ROUTER }],
    ['IPv4 before IPv6, whose route may come later', tables([byCable], [ipv6Route(IPV6_ROUTER, 'wlp2s0')]), cable],
    ['none where the router of IPv6 has an address that others have, too', tables([], [ipv6Route('fe800000000000000000000000000001', 'wlp2s0')]), null],
    ['none into a modem', tables([byModem, byCable]), null],
    ['none into a modem over IPv6', tables([], [ipv6Route(ANY, 'wwan0', ['00000032', '00000001']), ipv6Route(IPV6_ROUTER, 'wlp2s0')]), null],
    ['none where a virtual network takes everything', tables([byCable, ...halves]), null],
    ['none where the route is refused', tables([refused], [refusedIpv6]), null],
    ['none without a network', tables([], []), null],
    ['none on another system', { routes: '', neighbours: '', ipv6Routes: '' }, null],
    ['none in what is no table', { routes: 'x\ny z\n\0', neighbours: '\n\n', ipv6Routes: 'x' }, null],
  ])('is %s', (_, given, expected) => {
    expect(gatewayOf(given)).toEqual(expected);
  });
});
