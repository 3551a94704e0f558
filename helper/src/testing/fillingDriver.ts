import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Random } from '../../../shared/src/statistics/random.ts';

/** What stands where something was lost; no body of a test has it. */
export const MARKER = 0xee;
const MAX_SEGMENT_BYTES = 1_448;

interface Flow {
  readonly end: number;
  readonly from: number;
  told: number;
  holes: [offset: number, length: number][];
  late: { readonly offset: number; readonly data: string }[];
}

interface Question {
  readonly id: number;
  readonly type: string;
  readonly payload: { readonly local: { readonly port: number }; readonly end: number; readonly upTo: number; readonly port: number };
}

/** How the link and the driver behave. */
export interface FillingTerms {
  readonly random: Random;
  /** Of segments of registered flows. */
  readonly lossRate: number;
  /** Of what was lost: what comes afterwards all the same. */
  readonly lateRate: number;
  /** Where programs meant to go that come to the spool, on 127.0.0.1; without it there is no spool. */
  readonly meant?: number;
  /** In place of an answer: null for that of a driver in order; `die` ends every conversation. */
  readonly fault?: (type: string, count: number) => object | 'die' | null;
}

/** A driver that fills losses, and the link whose losses they are: what a server sends passes through `pass`. */
export class FillingDriver {
  terms: FillingTerms;
  filled = 0;
  late = 0;
  repaired = 0;
  /** Where a helper's spool listens. */
  spoolPort: number | null = null;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly sent = new Map<number, number>();
  private readonly flows = new Map<number, Flow>();
  private readonly registrations = new Map<number, () => void>();
  private asked = 0;

  constructor(path: string, terms: FillingTerms) {
    this.terms = terms;
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
      createInterface({ input: socket }).on('line', (line) => this.answer(socket, JSON.parse(line) as Question)).on('error', () => undefined);
    }).listen(path);
  }

  /** A server's connection has begun. */
  connected(port: number): void {
    this.sent.set(port, 0);
    this.flows.delete(port);
  }

  /** Settles when a connection is registered. */
  async registered(port: number): Promise<void> {
    if (!this.flows.has(port)) await new Promise<void>((resolve) => this.registrations.set(port, resolve));
  }

  /** What comes of what a server sends to this port. */
  pass(port: number, bytes: Buffer): Buffer {
    const sent = this.sent.get(port) ?? 0;
    this.sent.set(port, sent + bytes.length);
    const flow = this.flows.get(port);
    if (flow === undefined) return bytes;
    const { random, lossRate, lateRate } = this.terms;
    const come = Buffer.from(bytes);
    for (let at = 0; at < bytes.length; ) {
      const end = Math.min(bytes.length, at + 1 + Math.floor(random() * MAX_SEGMENT_BYTES));
      if (sent + at >= flow.from && sent + end <= flow.end && random() < lossRate) {
        come.fill(MARKER, at, end);
        flow.holes.push([sent + at, end - at]);
        this.filled += 1;
        if (random() < lateRate) {
          flow.late.push({ offset: sent + at, data: bytes.subarray(at, end).toString('base64') });
          this.late += 1;
        }
      }
      at = end;
    }
    return come;
  }

  /** As a process that is killed: nothing more is filled, and nobody tells what was. */
  die(): void {
    this.flows.clear();
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.die();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(socket: Socket, { id, type, payload }: Question): void {
    this.asked += 1;
    const fault = this.terms.fault?.(type, this.asked) ?? null;
    if (fault === 'die') this.die();
    else socket.write(`${JSON.stringify({ v: 1, id, ...(fault ?? this.answerTo(type, payload)) })}\n`);
  }

  private answerTo(type: string, { local, end, upTo, port }: Question['payload']): object {
    if (type === 'repair') {
      const from = this.sent.get(local.port) ?? 0;
      this.flows.set(local.port, { end, from, told: from, holes: [], late: [] });
      this.registrations.get(local.port)?.();
      return { type: 'ok', payload: { from } };
    }
    if (type === 'holes') {
      const flow = this.flows.get(local.port);
      if (flow === undefined) return refusal('E_DRIVER_GONE');
      flow.told = this.throughOf(flow, upTo, this.sent.get(local.port) ?? 0);
      const { told: through } = flow;
      const holes = flow.holes.filter(([offset]) => offset < through);
      const late = flow.late.filter(({ offset }) => offset < through);
      flow.holes = flow.holes.filter(([offset]) => offset >= through);
      flow.late = flow.late.filter(({ offset }) => offset >= through);
      return { type: 'ok', payload: { through, holes, late, reason: null } };
    }
    if (type === 'repaired') {
      this.flows.delete(local.port);
      this.repaired += 1;
    }
    const { meant } = this.terms;
    if (type === 'spool' && meant === undefined) return refusal('E_DRIVER_UNSUPPORTED');
    if (type === 'spool') this.spoolPort = port;
    return { type: 'ok', payload: type === 'meant' ? { address: '127.0.0.1', port: meant } : {} };
  }

  /** All that was let through, only what was asked for, or less than that, where an answer would be too long. */
  private throughOf({ told }: Flow, upTo: number, sent: number): number {
    const kind = this.terms.random();
    if (kind < 0.6) return Math.max(told, sent);
    return kind < 0.9 ? Math.max(told, Math.min(upTo, sent)) : Math.min(Math.max(told, sent), told + Math.ceil((Math.max(upTo, told) - told) / 2));
  }
}

/** An answer that refuses. */
export function refusal(code: string): object {
  return { type: 'error', payload: { code, message: 'no', next: 'go on' } };
}
