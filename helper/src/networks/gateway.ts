/** How a machine leaves its network. */
export interface Gateway {
  readonly interfaceName: string;
  readonly address: string;
  /** Its hardware address; null where the machine does not know it now. */
  readonly hardwareAddress: string | null;
}

/** Of the kernel's tables of routes and neighbours, as texts: proc(5), `/proc/net`. */
export interface KernelTables {
  /** `/proc/net/route` */
  readonly routes: string;
  /** `/proc/net/arp` */
  readonly neighbours: string;
  /** `/proc/net/ipv6_route` */
  readonly ipv6Routes: string;
}

interface Route {
  readonly interfaceName: string;
  /** Null where the way leads into an interface, as into a tunnel. */
  readonly gateway: string | null;
  readonly metric: number;
}

/** route(8): the route is up; it leads by a gateway. */
const [RTF_UP, RTF_GATEWAY] = [0x1, 0x2];
/** arp(7): the address is there. */
const ATF_COM = 0x2;
const ANY_IPV6 = '0'.repeat(32);

/**
 * By what the machine leaves the network that it is in: the IPv4 gateway, and where there is none the IPv6 router. Null
 * where no gateway tells networks apart: there is no network, or its traffic goes into a tunnel or a modem.
 */
export function gatewayOf({ routes, neighbours, ipv6Routes }: KernelTables): Gateway | null {
  const ofIpv4 = ipv4Routes(routes);
  // a virtual network takes everything by two routes that are more exact than the default one
  if (ofIpv4.some(({ mask }) => mask === HALF_MASK)) return null;
  const defaults = ofIpv4.filter(({ mask }) => mask === 0);
  if (defaults.length === 0) return ipv6Gateway(ipv6Routes);
  const { interfaceName, gateway } = best(defaults);
  return gateway === null ? null : { interfaceName, address: gateway, hardwareAddress: neighbour(neighbours, interfaceName, gateway) };
}

/** As the table has it, in the byte order of a machine of little-endian. */
const HALF_MASK = 0x80;

function ipv4Routes(table: string): (Route & { readonly mask: number })[] {
  return rows(table).slice(1).flatMap(([interfaceName, destination, gateway, flags, , , metric, mask]): (Route & { readonly mask: number })[] => {
    if (interfaceName === undefined || mask === undefined || (hex(flags) & RTF_UP) === 0) return [];
    if (hex(mask) === 0 && hex(destination) !== 0) return [];
    return [{ interfaceName, gateway: (hex(flags) & RTF_GATEWAY) === 0 ? null : dotted(hex(gateway)), metric: Number(metric), mask: hex(mask) }];
  });
}

/** The table has the bytes of the network's order as a number of the machine, which is of little-endian. */
function dotted(address: number): string {
  return [0, 8, 16, 24].map((bits) => (address >>> bits) & 0xff).join('.');
}

function neighbour(table: string, interfaceName: string, address: string): string | null {
  const [, , flags, hardwareAddress = ''] = rows(table).find(([ip, , , , , device]) => ip === address && device === interfaceName) ?? [];
  return (hex(flags) & ATF_COM) === 0 ? null : knownHardware(hardwareAddress);
}

/** No file has the neighbours of IPv6. A router mostly makes its own address of its hardware's (RFC 4291, appendix A). */
function ipv6Gateway(table: string): Gateway | null {
  const defaults = rows(table).flatMap(([destination, prefix, , , gateway = ANY_IPV6, metric, , , flags, interfaceName]): Route[] => {
    const isDefault = destination === ANY_IPV6 && hex(prefix) === 0 && (hex(flags) & RTF_UP) !== 0;
    return isDefault && interfaceName !== undefined && interfaceName !== 'lo' ? [{ interfaceName, gateway: gateway === ANY_IPV6 ? null : gateway, metric: hex(metric) }] : [];
  });
  if (defaults.length === 0) return null;
  const { interfaceName, gateway } = best(defaults);
  const hardwareAddress = gateway && hardwareOf(gateway);
  return gateway === null || hardwareAddress === null ? null : { interfaceName, address: gateway, hardwareAddress };
}

function hardwareOf(address: string): string | null {
  const [, first, second, third] = /^fe80.{12}(.{2})(.{4})fffe(.{6})$/.exec(address) ?? [];
  if (first === undefined || second === undefined || third === undefined) return null;
  const universal = (hex(first) ^ 0x02).toString(16).padStart(2, '0');
  return knownHardware((universal + second + third).replaceAll(/..(?!$)/g, '$&:'));
}

function knownHardware(address: string): string | null {
  return /^(?:[\da-f]{2}:){5}[\da-f]{2}$/i.test(address) && /[1-9a-f]/i.test(address) ? address.toLowerCase() : null;
}

function best(routes: readonly Route[]): Route {
  return routes.reduce((a, b) => (b.metric < a.metric ? b : a));
}

function rows(table: string): string[][] {
  return table.split('\n').map((line) => line.trim().split(/\s+/)).filter(([first]) => first !== '');
}

/** What is no number is none of its bits. */
function hex(text = ''): number {
  return Number.parseInt(text, 16) || 0;
}
