import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PreparedTunnels } from './preparedTunnels.ts';
import type { Destination } from '../../../shared/src/names/authority.ts';

const A: Destination = { host: 'a.test', port: 443 };

/** Connections as they are asked for; the test says when each is there. */
class Openings {
  readonly hosts: string[] = [];
  readonly sockets: Socket[] = [];
  private readonly settle: { readonly resolve: (socket: Socket) => void; readonly reject: (error: Error) => void }[] = [];

  open({ host }: Destination): Promise<Socket> {
    this.hosts.push(host);
    this.sockets.push(new Socket());
    return new Promise((resolve, reject) => this.settle.push({ resolve, reject }));
  }

  async connected(place: number): Promise<Socket> {
    this.settle[place]?.resolve(this.sockets[place]!);
    await vi.advanceTimersByTimeAsync(0);
    return this.sockets[place]!;
  }

  async failed(place: number): Promise<void> {
    this.settle[place]?.reject(new Error(`${place} failed`));
    await vi.advanceTimersByTimeAsync(0);
  }
}

let openings: Openings;
let tunnels: PreparedTunnels;

beforeEach(() => {
  vi.useFakeTimers();
  // a time of 0 is none to lru-cache
  vi.advanceTimersByTime(1);
  openings = new Openings();
  tunnels = new PreparedTunnels((destination) => openings.open(destination));
});
afterEach(() => {
  vi.useRealTimers();
});

describe('PreparedTunnels', () => {
  it('gives the connection that was made ahead to the one that comes first', async () => {
    tunnels.prepare(A);
    const ahead = await openings.connected(0);
    const [first, second] = [tunnels.take(A), tunnels.take(A)];
    expect(await first).toBe(ahead);
    expect(openings.hosts).toEqual(['a.test', 'a.test']);
    expect(await openings.connected(1)).toBe(await second);
  });

  it('makes the one that comes wait for a connection that is being made', async () => {
    tunnels.prepare(A);
    const taken = tunnels.take(A);
    const ahead = await openings.connected(0);
    expect(await taken).toBe(ahead);
    expect(openings.hosts).toEqual(['a.test']);
  });

  it('keeps one for each server, by host and port', () => {
    tunnels.prepare(A);
    tunnels.prepare(A);
    tunnels.prepare({ ...A, port: 8443 });
    tunnels.prepare({ ...A, host: 'b.test' });
    expect(openings.hosts).toEqual(['a.test', 'a.test', 'b.test']);
  });

  it.each(['before', 'after'])('has no part in a failure: one that came %s it opens a connection itself, and hears of its own failure', async (order) => {
    tunnels.prepare(A);
    const early = order === 'before' ? tunnels.take(A) : null;
    await openings.failed(0);
    const taken = early ?? tunnels.take(A);
    const outcome = expect(taken).rejects.toThrow('1 failed');
    await vi.advanceTimersByTimeAsync(0);
    await openings.failed(1);
    await outcome;
  });

  it.each([
    ['ends it', (socket: Socket) => socket.emit('end')],
    ['breaks it off', (socket: Socket) => socket.destroy(new Error('reset'))],
  ])('gives nobody a connection whose server %s', async (_, happens) => {
    tunnels.prepare(A);
    const ahead = await openings.connected(0);
    happens(ahead);
    await vi.advanceTimersByTimeAsync(0);
    expect(ahead.destroyed).toBe(true);
    void tunnels.take(A);
    await vi.advanceTimersByTimeAsync(0);
    expect(openings.hosts).toHaveLength(2);
  });

  it('closes what nobody takes in ten seconds, and what comes later', async () => {
    tunnels.prepare(A);
    tunnels.prepare({ ...A, host: 'slow.test' });
    const ahead = await openings.connected(0);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(ahead.destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(2);
    expect(ahead.destroyed).toBe(true);
    expect((await openings.connected(1)).destroyed).toBe(true);
  });

  it('closes nothing that was taken', async () => {
    tunnels.prepare(A);
    const taken = tunnels.take(A);
    const ahead = await openings.connected(0);
    // another may be prepared meanwhile
    tunnels.prepare(A);
    await vi.advanceTimersByTimeAsync(20_000);
    tunnels.close();
    expect((await taken).destroyed).toBe(false);
    ahead.emit('end');
    expect(ahead.destroyed).toBe(false);
  });

  it('keeps no more than 24: the oldest goes', async () => {
    for (let i = 0; i < 25; i += 1) tunnels.prepare({ ...A, host: `${i}.test` });
    for (let i = 0; i < 25; i += 1) await openings.connected(i);
    expect(openings.sockets.map(({ destroyed }) => destroyed)).toEqual([true, ...Array.from({ length: 24 }, () => false)]);
  });

  it('closes all at its end', async () => {
    tunnels.prepare(A);
    tunnels.prepare({ ...A, host: 'b.test' });
    const ahead = await openings.connected(0);
    tunnels.close();
    expect((await openings.connected(1)).destroyed).toBe(true);
    expect(ahead.destroyed).toBe(true);
  });
});
