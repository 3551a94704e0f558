import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';
import { readOrNothing } from '../../../shared/src/node/readOrNothing.ts';
import { gatewayOf, type Gateway, type KernelTables } from './gateway.ts';

/** Names the network that the machine is in, by what stays; null where nothing tells. */
export type NetworkLook = () => string | null;

/** What is seen of the machine. */
export interface MachineView {
  tables(): KernelTables;
  /** Names of the tunnels that are up. */
  tunnels(): readonly string[];
}

/**
 * By the gateway's own hardware address, the interface, as a cable and a radio may lead to one gateway, and the tunnels
 * that are up, as with one of them it is another network. Only where the kernel has its tables in `/proc` (Linux).
 */
export function networkLook(view: MachineView = THIS_MACHINE): NetworkLook {
  let last: Gateway | null = null;
  return () => {
    const gateway = gatewayOf(view.tables());
    // while the kernel asks for the address of a gateway again, that is the one that it was
    const isSame = gateway?.interfaceName === last?.interfaceName && gateway?.address === last?.address;
    last = gateway && { ...gateway, hardwareAddress: gateway.hardwareAddress ?? (isSame ? last?.hardwareAddress ?? null : null) };
    if (last === null || last.hardwareAddress === null) return null;
    return JSON.stringify([last.interfaceName, last.address, last.hardwareAddress, ...view.tunnels().toSorted()]);
  };
}

const NO_HARDWARE = '00:00:00:00:00:00';

/** Whether an address is that of a tunnel: other networks are behind it than around this machine. */
export function isTunnel({ internal, mac }: Pick<NetworkInterfaceInfo, 'internal' | 'mac'>): boolean {
  return !internal && mac === NO_HARDWARE;
}

const THIS_MACHINE: MachineView = {
  tables: () => ({ routes: readOrNothing('/proc/net/route'), neighbours: readOrNothing('/proc/net/arp'), ipv6Routes: readOrNothing('/proc/net/ipv6_route') }),
  tunnels: () => Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) => (addresses.some(isTunnel) ? [name] : [])),
};
