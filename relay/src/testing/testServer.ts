import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { PUBLIC_HOST } from './testRelay.ts';

/** A TCP server of the public web of tests. */
export class TestServer {
  /** In the order of their opening. */
  readonly sockets: Socket[] = [];
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
  }

  static async start(connected: (socket: Socket) => void = () => undefined): Promise<TestServer> {
    const server = createServer({ allowHalfOpen: true });
    const self = new TestServer(server);
    server.on('connection', (socket) => {
      self.sockets.push(socket.on('error', () => undefined));
      connected(socket);
    });
    server.listen(0, PUBLIC_HOST);
    await once(server, 'listening');
    return self;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}
