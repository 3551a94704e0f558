import { createServer, type Server, type Socket } from 'node:net';
import { endServer, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';

/** A TCP server whose every byte is the test's: for servers that do what no HTTP library lets them do. */
export class RawServer {
  readonly port: number;
  /** What each connection has sent so far, as text, in the order of their opening. */
  readonly received: string[] = [];
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  /** In the order of their opening. */
  private readonly all: Socket[] = [];
  private readonly ended = new Set<Socket>();

  private constructor(server: Server, port: number) {
    this.server = server;
    this.port = port;
  }

  /** @param onRequest called for each request whose header is there (a body counts as the next request); `connection` counts from 0 */
  static async start(onRequest: (socket: Socket, header: string, connection: number) => unknown): Promise<RawServer> {
    const server = await listenLocally(createServer({ allowHalfOpen: true }));
    const self = new RawServer(server, portOf(server));
    server.on('connection', (socket) => {
      const connection = self.received.push('') - 1;
      self.sockets.add(socket);
      self.all.push(socket);
      socket.on('error', () => undefined);
      socket.once('end', () => self.ended.add(socket));
      socket.once('close', () => self.sockets.delete(socket));
      let pending = '';
      socket.on('data', (chunk) => {
        const text = chunk.toString('latin1');
        self.received[connection] = `${self.received[connection] ?? ''}${text}`;
        pending += text;
        for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
          const header = pending.slice(0, end);
          pending = pending.slice(end + 4);
          onRequest(socket, header, connection);
        }
      });
    });
    return self;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Connections that the other side has not ended. */
  get openCount(): number {
    return [...this.sockets].filter((socket) => !this.ended.has(socket)).length;
  }

  /** Sends something on a connection. */
  say(connection: number, text: string): void {
    this.all[connection]?.write(text);
  }

  /** Ends a connection, as a server does with one that says nothing. */
  end(connection: number): void {
    this.all[connection]?.end();
  }

  async close(): Promise<void> {
    await endServer(this.server);
  }
}
