import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { DRIVER_PROTOCOL_VERSION, DriverAnswerSchema, MeantSchema, driverOfAnotherRelease } from './driverMessages.ts';

const ANSWER_LIMIT_MS = 5_000;

/** A conversation with the driver. What was registered in it is taken back when it ends, whoever ends it. */
export class DriverConnection {
  /** Settles when the conversation has ended. */
  readonly ended: Promise<void>;
  private readonly socket: Socket;
  private readonly waiting = new Map<number, PromiseWithResolvers<unknown>>();
  private lastId = 0;
  /** Why nothing is answered once it has ended. */
  private end = unavailable('The driver has ended the conversation.');

  private constructor(socket: Socket) {
    this.socket = socket;
    this.ended = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
    void this.ended.then(() => this.refuseAll());
    // the reader of lines has errors of its input as its own; the close says enough
    createInterface({ input: socket, crlfDelay: Infinity }).on('line', (line) => this.take(line)).on('error', () => undefined);
  }

  /** @throws FirstscreenError E_DRIVER_UNAVAILABLE */
  static async open(path: string): Promise<DriverConnection> {
    const socket = createConnection(path);
    try {
      await once(socket, 'connect');
    } catch (cause) {
      throw unavailable(`The driver does not answer at ${path}.`, cause);
    }
    return new DriverConnection(socket);
  }

  /** @throws FirstscreenError E_DRIVER_UNAVAILABLE, E_DRIVER_REFUSED with the driver's own code as its cause, E_DRIVER_VERSION */
  async ask(type: 'register' | 'status' | 'spool' | 'meant' | 'repair' | 'holes' | 'repaired', payload: object): Promise<unknown> {
    const id = ++this.lastId;
    const answer = Promise.withResolvers<unknown>();
    this.waiting.set(id, answer);
    const limit = setTimeout(() => this.socket.destroy(), ANSWER_LIMIT_MS);
    if (this.socket.destroyed) this.refuseAll();
    else this.socket.write(`${JSON.stringify({ v: DRIVER_PROTOCOL_VERSION, id, type, payload })}\n`);
    try {
      return await answer.promise;
    } finally {
      clearTimeout(limit);
      this.waiting.delete(id);
    }
  }

  /** Where the connection was meant to go that comes from an address and a port of this host. @throws as `ask`, and ValiError */
  async meant(address: string, port: number): Promise<{ address: string; port: number }> {
    return v.parse(MeantSchema, await this.ask('meant', { address, port }));
  }

  close(): void {
    this.socket.destroy();
  }

  private take(line: string): void {
    const answer = v.safeParse(DriverAnswerSchema, line);
    if (!answer.success) {
      // nothing that it says after that can be relied upon
      this.end = driverOfAnotherRelease();
      this.socket.destroy();
      return;
    }
    const waiting = this.waiting.get(answer.output.id);
    if (answer.output.type === 'error') {
      const { code, message, next } = answer.output.payload;
      waiting?.reject(new FirstscreenError('E_DRIVER_REFUSED', `The driver refused (${code}): ${message}`, next, { cause: code }));
    } else {
      waiting?.resolve(answer.output.payload);
    }
  }

  private refuseAll(): void {
    for (const { reject } of this.waiting.values()) reject(this.end);
  }
}

function unavailable(message: string, cause?: unknown): FirstscreenError {
  return new FirstscreenError('E_DRIVER_UNAVAILABLE', message, 'Everything works without it; to use it: systemctl start firstscreen-driver.', { cause });
}
