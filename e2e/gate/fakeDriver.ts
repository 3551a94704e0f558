import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** What a driver that acts on the helper's connections says of itself. */
export const DRIVER_STATUS = {
  features: [{ name: 'RAR', level: 'full' }, { name: 'IB, spool', level: 'none', reason: 'cgroup2 is not mounted' }],
  interfaces: [{ name: 'wlan0', index: 3, method: 'tcx' }],
  counters: {
    rar: { messages: 128, protected: 128, copies: 256, copyBytes: 31_400, rounds: 0, duplicates: 0, linkBusy: 0, notPaying: 0 },
    programs: { retransmitted: 0, redirected: 0 },
  },
};

/** Stands in for the driver: agrees to all that the helper asks. */
export class FakeDriver {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  /** Requests of the helper for how the driver stands. */
  asked = 0;

  private constructor(status: object) {
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
      createInterface({ input: socket }).on('line', (line) => {
        const { id, type } = JSON.parse(line) as { id: number; type: string };
        if (type === 'status') this.asked += 1;
        socket.write(`${JSON.stringify({ v: 1, id, type: 'ok', payload: type === 'status' ? status : {} })}\n`);
      });
    });
  }

  static listen(socketPath: string, status: object): FakeDriver {
    const driver = new FakeDriver(status);
    driver.server.listen(socketPath);
    return driver;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}
