import { createServer, type Server, type Socket } from 'node:net';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { FRAME_HEADER_BYTES, FrameSplitter, FrameType, type Frame } from '../upstream/frames.ts';

/** RFC 9113, section 6. */
export const FLAG = { endStream: 0x1, ack: 0x1, endHeaders: 0x4 } as const;
/** ":status: 200" (RFC 7541, appendix A). */
const STATUS_200 = Buffer.from([0x88]);

/** A server of HTTP/2 that says its settings, and whose every other frame is the test's: for servers that do what no library lets them do. */
export class FramesServer {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(onFrame: (frame: Frame, socket: Socket) => void) {
    this.server = createServer((socket) => {
      this.sockets.add(socket.on('error', () => undefined));
      const splitter = new FrameSplitter();
      socket.write(frame(FrameType.settings, 0, 0));
      socket.on('data', (chunk: Buffer) => {
        for (const sent of splitter.push(chunk)) {
          if (Buffer.isBuffer(sent)) continue;
          if (sent.type === FrameType.settings && (sent.flags & FLAG.ack) === 0) socket.write(frame(FrameType.settings, FLAG.ack, 0));
          onFrame(sent, socket);
        }
      });
    });
  }

  /** @param onFrame called for each frame that comes */
  static async start(onFrame: (frame: Frame, socket: Socket) => void): Promise<FramesServer> {
    const self = new FramesServer(onFrame);
    await listenLocally(self.server);
    return self;
  }

  get port(): number {
    return portOf(this.server);
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(FRAME_HEADER_BYTES);
  header.writeUIntBE(payload.length, 0, 3);
  header.writeUInt8(type, 3);
  header.writeUInt8(flags, 4);
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, payload]);
}

/** The head of a 200, its fields as literals that are not indexed (RFC 7541, section 6.2.2). */
export function head(stream: number, fields: readonly (readonly [string, string])[] = []): Buffer {
  const literal = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
  return frame(FrameType.headers, FLAG.endHeaders, stream, Buffer.concat([STATUS_200, ...fields.flatMap(([name, value]) => [Buffer.from([0]), literal(name), literal(value)])]));
}

/** A piece of a body. @param isLast the body ends with it */
export function piece(stream: number, text: string, isLast = true): Buffer {
  return frame(FrameType.data, isLast ? FLAG.endStream : 0, stream, Buffer.from(text));
}
