import { once } from 'node:events';
import type { AddressInfo, ListenOptions, Server } from 'node:net';

/**
 * Has a server listen. From then on a connection that can not be taken (accept(2): for want of memory, as a rule) is lost, and nothing else.
 *
 * @param where a place, or the descriptor of a socket that listens already
 * @param lost told why a connection could not be taken
 * @throws Error what keeps it from listening
 */
export async function listening(server: Server, where: ListenOptions | { readonly fd: number }, lost: (error: Error) => void = () => undefined): Promise<AddressInfo> {
  server.listen(where);
  await once(server, 'listening');
  server.on('error', lost);
  return server.address() as AddressInfo;
}
