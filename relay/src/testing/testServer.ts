import { createServer, type Server, type Socket } from 'node:net';
import { endServer, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
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
    await listenLocally(server, PUBLIC_HOST);
    return self;
  }

  get port(): number {
    return portOf(this.server);
  }

  async close(): Promise<void> {
    await endServer(this.server);
  }
}
