import { once } from 'node:events';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';

const CONNECTIONS = new WeakMap<Server, Set<Socket>>();

/** Has a server listen on a free port of loopback. @returns the server */
export async function listenLocally<AnyServer extends Server>(server: AnyServer, host = '127.0.0.1'): Promise<AnyServer> {
  const open = new Set<Socket>();
  CONNECTIONS.set(server, open);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  await once(server.listen(0, host), 'listening');
  return server;
}

export function portOf(server: Pick<Server, 'address'>): number {
  return (server.address() as AddressInfo).port;
}

export async function connectLocally(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** Ends a server that listens locally, and its connections. */
export async function endServer(server: Server): Promise<void> {
  for (const socket of CONNECTIONS.get(server) ?? []) socket.destroy();
  server.close();
  await once(server, 'close');
}
