import { connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';

/** A slow line carries so much at a time: 200 kB/s. */
const [SLOW_BYTES, SLOW_MS] = [4_000, 20];

/** The line between a helper and its relay, which can go dead or slow. */
export class Line {
  private readonly server: Server;
  private readonly ends = new Set<Socket>();
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private isDead = false;
  /** All that has come from the relay. */
  carriedBytes = 0;

  private constructor(server: Server) {
    this.server = server;
  }

  /** @param port of the relay, on loopback */
  static async to(port: number): Promise<Line> {
    const server = createServer({ noDelay: true });
    const line = new Line(server);
    server.on('connection', (near) => line.pass(near, port));
    await listenLocally(server);
    return line;
  }

  get port(): number {
    return portOf(this.server);
  }

  /** Nothing passes any more, in either direction, and nobody says so. */
  goDead(): void {
    this.isDead = true;
    for (const end of this.ends) end.unpipe().pause();
  }

  /** What comes from the relay from now on comes slowly. */
  slow(): void {
    for (const [near, far] of this.pairs) {
      far.unpipe(near);
      far.pipe(slowly()).pipe(near);
    }
  }

  /** It is as new, and what was on it is gone. */
  reset(): void {
    this.isDead = false;
    for (const end of this.ends) end.destroy();
  }

  close(): void {
    this.reset();
    this.server.close();
  }

  private pass(near: Socket, port: number): void {
    const far = connect({ port, host: '127.0.0.1', noDelay: true });
    for (const end of [near, far]) {
      this.ends.add(end.on('error', () => undefined));
      end.once('close', () => {
        this.ends.delete(end);
        if (this.isDead) return;
        near.destroy();
        far.destroy();
      });
    }
    if (this.isDead) return;
    far.on('data', (chunk: Buffer) => (this.carriedBytes += chunk.length));
    const pair = [near, far] as const;
    this.pairs.add(pair);
    near.once('close', () => this.pairs.delete(pair));
    near.pipe(far).pipe(near);
  }
}

function slowly(): Transform {
  return new Transform({
    highWaterMark: SLOW_BYTES,
    transform(chunk: Buffer, _encoding, done) {
      const pieces = Array.from({ length: Math.ceil(chunk.length / SLOW_BYTES) }, (_, place) => chunk.subarray(place * SLOW_BYTES, (place + 1) * SLOW_BYTES));
      const next = (): void => {
        const piece = pieces.shift();
        if (piece === undefined) return done();
        this.push(piece);
        setTimeout(next, SLOW_MS);
      };
      next();
    },
  });
}
