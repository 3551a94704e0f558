import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Commands, Events } from './commands.ts';

interface Pending {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Frame {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly sessionId?: string;
}

/**
 * A DevTools connection over the browser's pipe (file descriptors 3 and 4; each message ends with a zero byte).
 *
 * Written by hand because frames in other processes need flat child sessions, and because a driver's own domains
 * and default switches would be part of what is measured. When the pipe closes, the browser ends itself, so a
 * killed bench leaves no browser behind.
 */
export class DevToolsConnection {
  readonly #toBrowser: Writable;
  readonly #pending = new Map<number, Pending>();
  readonly #sessions = new Map<string | undefined, DevToolsSession>();
  #lastId = 0;
  #rest: Buffer[] = [];
  #closed = false;

  constructor(toBrowser: Writable, fromBrowser: Readable) {
    this.#toBrowser = toBrowser;
    toBrowser.on('error', () => this.#close());
    fromBrowser.on('data', (chunk: Buffer) => this.#read(chunk));
    fromBrowser.on('close', () => this.#close());
    fromBrowser.on('error', () => this.#close());
  }

  /** The session with the given id, or that of the browser itself. */
  session(sessionId?: string): DevToolsSession {
    let session = this.#sessions.get(sessionId);
    if (!session) {
      session = new DevToolsSession(this, sessionId);
      this.#sessions.set(sessionId, session);
    }
    return session;
  }

  call(method: string, params: object, sessionId: string | undefined): Promise<unknown> {
    if (this.#closed) return Promise.reject(new Error(`${method}: the browser is gone`));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { method, resolve, reject });
      this.#toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  #read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0, start); end >= 0; end = chunk.indexOf(0, start)) {
      this.#rest.push(chunk.subarray(start, end));
      const text = Buffer.concat(this.#rest).toString('utf8');
      this.#rest = [];
      start = end + 1;
      this.#dispatch(JSON.parse(text) as Frame);
    }
    if (start < chunk.length) this.#rest.push(chunk.subarray(start));
  }

  #dispatch(frame: Frame): void {
    if (frame.id === undefined) {
      if (frame.method) this.#sessions.get(frame.sessionId)?.events.emit(frame.method, frame.params);
      return;
    }
    const pending = this.#pending.get(frame.id);
    this.#pending.delete(frame.id);
    if (frame.error) pending?.reject(new Error(`${pending.method}: ${frame.error.message}`));
    else pending?.resolve(frame.result);
  }

  #close(): void {
    this.#closed = true;
    for (const { method, reject } of this.#pending.values()) reject(new Error(`${method}: the browser is gone`));
    this.#pending.clear();
  }
}

/** One target (browser, page, frame in its own process, worker) on a connection. */
export class DevToolsSession {
  readonly events = new EventEmitter();
  readonly id: string | undefined;
  readonly #connection: DevToolsConnection;

  constructor(connection: DevToolsConnection, id: string | undefined) {
    this.#connection = connection;
    this.id = id;
  }

  send<M extends keyof Commands>(method: M, params: Commands[M]['in']): Promise<Commands[M]['out']> {
    return this.#connection.call(method, params, this.id) as Promise<Commands[M]['out']>;
  }

  on<E extends keyof Events>(event: E, listener: (params: Events[E]) => void): void {
    this.events.on(event, listener);
  }

  /** The session of a child target, announced by Target.attachedToTarget or Target.attachToTarget. */
  child(sessionId: string): DevToolsSession {
    return this.#connection.session(sessionId);
  }

  /** The value of an expression; an exception in it rejects. */
  async evaluate(expression: string, contextId?: number): Promise<unknown> {
    const answer = await this.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
      ...(contextId === undefined ? {} : { contextId }),
    });
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
    return answer.result.value;
  }
}
