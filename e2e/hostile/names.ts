import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { ADDRESSES, type HostKind } from './place.ts';

const HEADER_BYTES = 12;
const TYPE_A = 1;
const NXDOMAIN = 3;
/** Short: a name that rebinds is asked for again within the case. */
const TTL_SECONDS = 1;

/** The name server of the bed (RFC 1035): A records of the hosts, and nothing else. */
export class NameServer {
  private readonly socket: Socket;
  private readonly rebound = new Set<string>();

  private constructor(socket: Socket) {
    this.socket = socket;
  }

  static async start(): Promise<NameServer> {
    const socket = createSocket('udp4');
    const self = new NameServer(socket);
    socket.on('message', (query, { port, address }) => socket.send(self.answer(query), port, address));
    // a relay asks from another machine
    socket.bind(53);
    await once(socket, 'listening');
    return self;
  }

  /** From now on a host of the kind `rebind` is this machine. */
  rebind(name: string): void {
    this.rebound.add(name);
  }

  /** It leads to where it has led at first: each mode begins alike. */
  restore(name: string): void {
    this.rebound.delete(name);
  }

  private answer(query: Buffer): Buffer {
    const labels: string[] = [];
    let at = HEADER_BYTES;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase());
      at += 1 + length;
    }
    const question = query.subarray(HEADER_BYTES, at + 5);
    const address = query.readUInt16BE(at + 1) === TYPE_A ? this.addressOf(labels) : undefined;
    const isKnown = this.addressOf(labels) !== undefined;
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(0x8180 | (isKnown ? 0 : NXDOMAIN), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(address === undefined ? 0 : 1, 6);
    header.writeUInt32BE(0, 8);
    if (address === undefined) return Buffer.concat([header, question]);
    // a pointer to the question's name, type A, class IN
    const record = Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, TTL_SECONDS, 0, 4, ...address.split('.').map(Number)]);
    return Buffer.concat([header, question, record]);
  }

  private addressOf(labels: readonly string[]): string | undefined {
    if (labels.at(-1) !== 'test') return undefined;
    if (this.rebound.has(labels.join('.'))) return ADDRESSES.loop;
    return ADDRESSES[labels.at(-2) as HostKind];
  }

  close(): void {
    this.socket.close();
  }
}
