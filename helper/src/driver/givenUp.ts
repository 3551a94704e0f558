import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

/**
 * Whether the program at the other end of a connection over loopback has closed it. One that has only ended what it sends looks the same on the wire, but has an inode (proc_pid_net(5)). Where the
 * kernel does not tell, it has not.
 */
export async function isGivenUp({ localPort = 0, remotePort = 0 }: Pick<Socket, 'localPort' | 'remotePort'>): Promise<boolean> {
  // state, queues, timer, retransmissions, user and time-outs are between its ends and the inode
  const line = new RegExp(`^ *\\d+: \\S+:${hexadecimal(remotePort)} \\S+:${hexadecimal(localPort)} (?:\\S+ +){6}0 `, 'm');
  const tables = await Promise.all(TABLES.map((path) => readFile(path, 'latin1').catch(() => '')));
  return tables.some((table) => line.test(table));
}

function hexadecimal(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
