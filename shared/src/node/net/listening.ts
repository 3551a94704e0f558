import { once } from 'node:events';
import type { AddressInfo, ListenOptions, Server } from 'node:net';

/**
 * Has a server listen. From then on a connection that can not be taken (accept(2): for want of memory, as a rule) is lost, and nothing else.
 *
 * @param where a place, or the descriptor of a socket that listens already
 * @throws Error what keeps it from listening
 */
export async function listening(server: Server, where: ListenOptions | { readonly fd: number }): Promise<AddressInfo> {
  server.listen(where);
  await once(server, 'listening');
  server.on('error', () => undefined);
  return server.address() as AddressInfo;
}
