import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LogEntry } from '../../../shared/src/log.ts';
import { createIdentity } from '../../../shared/src/relay/identity.ts';
import { openLocally } from '../testing/loopback.ts';
import { RawServer } from '../testing/rawServer.ts';
import { TestRelay, type RelayBehaviour } from '../testing/testRelay.ts';
import { RelayCarrier } from './relayCarrier.ts';
import type { RelayConfig } from './relayConfig.ts';

/** Longer than what is sent takes over loopback. */
const LATER_MS = 60;
/** The first pieces of so many uploads go up for longer than a relay is silent before it is given up, and it says nothing before it has the second one of any. */
const [UPLOADS, PIECE_BYTES, PIECES, UPLOAD_LIMIT_MS] = [32, 16_384, 2, 15_000];

let relay: TestRelay;
let carrier: RelayCarrier;
let log: LogEntry[];
let roundTrips: number[];
const servers: RawServer[] = [];

async function start(behaviour: RelayBehaviour = {}, known?: string, change: Partial<RelayConfig> = {}): Promise<void> {
  relay = await TestRelay.start(behaviour, known);
  open({ ...relay.config, ...change });
}

function open(config: RelayConfig): void {
  [log, roundTrips] = [[], []];
  carrier = new RelayCarrier({
    config,
    connect: () => openLocally(config.port),
    roundTrip: (rttMs) => roundTrips.push(rttMs),
    log: (entry) => log.push(entry),
  });
}

afterEach(async () => {
  carrier.close();
  await relay.close();
  for (const server of servers.splice(0)) await server.close();
});

const codes = (): unknown[] => log.flatMap(({ fields }) => fields?.['code'] ?? []);
const isUp = (): boolean => log.at(-1)?.message === 'connected';

async function serverOf(onRequest: Parameters<typeof RawServer.start>[0] = () => undefined): Promise<RawServer> {
  const server = await RawServer.start(onRequest);
  servers.push(server);
  return server;
}

describe('the carrier', () => {
  it('is made at once, and its tunnels lead to servers', async () => {
    await start();
    await expect.poll(isUp).toBe(true);
    const server = await serverOf((socket) => socket.end('hello'));
    const tunnel = carrier.tunnel('a.test', server.port, 3)!;
    tunnel.stream.write('GET / HTTP/1.1\r\n\r\n');
    expect(await tunnel.answer).toMatchObject({ type: 'connected' });
    expect(await tunnel.stream.toArray()).toEqual([Buffer.from('hello')]);
    expect(relay.asked).toEqual([`a.test:${server.port} 3`]);
    expect(relay.connections).toBe(1);
  });

  it('sees the round trip of the link again and again, before anything is asked for', async () => {
    await start();
    await expect.poll(() => roundTrips.length).toBeGreaterThan(1);
  });

  it('is made anew when it was lost, and has no tunnels until then', async () => {
    await start();
    await expect.poll(isUp).toBe(true);
    const tunnel = carrier.tunnel('a.test', 1, 2)!;
    relay.retire();
    await expect.poll(() => log.filter(({ message }) => message === 'connected')).toHaveLength(2);
    expect(relay.connections).toBe(2);
    expect(await tunnel.answer).toMatchObject({ type: 'lost' });
  });

  it('tells the relay once what bodies are kept under', async () => {
    await start();
    await expect.poll(isUp).toBe(true);
    const names = ['a', 'b'].map((letter) => letter.repeat(43)) as [string, string];
    for (const name of [names[0], names[0], names[1]]) carrier.tellKept(name);
    await expect.poll(() => relay.said.map((line) => JSON.parse(line) as unknown)).toEqual(names.map((name) => ({ type: 'kept', name })));
  });

  it('has none where the relay is not, and tries again', async () => {
    await start();
    await expect.poll(isUp).toBe(true);
    await relay.kill();
    await expect.poll(() => codes()).toEqual(['E_RELAY_UNAVAILABLE', 'E_RELAY_UNAVAILABLE']);
    expect(carrier.tunnel('a.test', 1, 2)).toBe(null);
  });

  it.each<[string, string, () => Promise<void>]>([
    ['with another key', 'E_RELAY_IDENTITY', async () => start({}, undefined, { relayFingerprint: (await createIdentity('x', new Date())).fingerprint })],
    ['that does not know us', 'E_RELAY_REFUSED', async () => start({}, (await createIdentity('x', new Date())).fingerprint)],
    ['of another version', 'E_RELAY_VERSION', () => start({ hello: { version: 2 } })],
    ['that says another hello', 'E_RELAY_VERSION', () => start({ hello: { coder: true } })],
  ])('takes no relay %s', async (_case, code, begin) => {
    await begin();
    await expect.poll(() => codes()[0]).toBe(code);
    expect(carrier.tunnel('a.test', 1, 2)).toBe(null);
    expect(relay.asked).toEqual([]);
  });

  it('is given up for good where the relay does not know what the helper says, as one of another release', async () => {
    await start({ understands: false });
    await expect.poll(isUp).toBe(true);
    const server = await serverOf();
    const tunnel = carrier.tunnel('a.test', server.port, 2)!;
    expect(await tunnel.answer).toMatchObject({ type: 'connected' });
    carrier.tellKept('a'.repeat(43));
    await expect.poll(() => log.at(-1)).toMatchObject({ level: 'error', message: expect.stringContaining('one release') as string, fields: { code: 'E_RELAY_VERSION' } });
    // where it would be tried at once
    carrier.networkChanged(() => false);
    await sleep(LATER_MS);
    expect([tunnel.stream.destroyed, carrier.tunnel('a.test', server.port, 2), relay.connections, log.filter(({ message }) => message === 'connected').length]).toEqual([true, null, 0, 1]);
  });

  it('says nothing to whoever has another key', async () => {
    await start({}, undefined, { relayFingerprint: (await createIdentity('x', new Date())).fingerprint });
    await expect.poll(() => codes()).toContain('E_RELAY_IDENTITY');
    expect([relay.said, relay.asked]).toEqual([[], []]);
  });

  it('tells ranks of a turn in one message', async () => {
    await start();
    await expect.poll(isUp).toBe(true);
    const server = await serverOf();
    const [first, second] = [carrier.tunnel('a.test', server.port, 2)!, carrier.tunnel('b.test', server.port, 2)!];
    first.rank(5);
    second.rank(0);
    first.rank(7);
    await expect.poll(() => relay.said).toEqual([JSON.stringify({ type: 'rank', ranks: [{ stream: first.stream.id, level: 7 }, { stream: second.stream.id, level: 0 }] })]);
    first.close();
    await expect.poll(() => first.stream.closed).toBe(true);
    first.rank(1);
    await sleep(20);
    expect(relay.said).toHaveLength(1);
  });

  it('takes no more streams than the relay does', async () => {
    await start({ maxStreams: 2 });
    await expect.poll(isUp).toBe(true);
    expect([carrier.tunnel('a.test', 1, 2), carrier.tunnel('a.test', 1, 2)].map((tunnel) => tunnel !== null)).toEqual([true, false]);
  });

  it('has nothing of a relay that is silent, which it gives up when the direct way works', async () => {
    await start();
    await expect.poll(isUp).toBe(true);
    const server = await serverOf();
    relay.goDead();
    const tunnel = carrier.tunnel('a.test', server.port, 2)!;
    let isLate = false;
    tunnel.late = () => {
      isLate = true;
      tunnel.host.overtaken();
      return true;
    };
    await expect.poll(() => isLate).toBe(true);
    expect(carrier.tunnel('b.test', server.port, 2)).toBe(null);
    expect(await tunnel.answer).toEqual({ type: 'lost' });
    expect(log.map(({ message }) => message)).toContain('given up: it does not answer');
  });

  it('is not silent because its beats stand behind what goes up slowly', async () => {
    await start();
    await expect.poll(isUp).toBe(true);
    const server = await serverOf();
    const tunnels = Array.from({ length: UPLOADS }, () => carrier.tunnel('a.test', server.port, 2)!);
    await Promise.all(tunnels.map(({ answer }) => answer));
    relay.trickleUp();
    for (const tunnel of tunnels) {
      // the direct way works
      tunnel.late = () => {
        tunnel.host.overtaken();
        return true;
      };
      const write = (pieces: number): void => {
        if (pieces > 0) tunnel.write(Buffer.alloc(PIECE_BYTES), () => write(pieces - 1));
      };
      write(PIECES);
    }
    await expect.poll(() => relay.received.map(({ length }) => length), { timeout: UPLOAD_LIMIT_MS }).toEqual(tunnels.map(() => PIECES * PIECE_BYTES));
    expect(log.map(({ message }) => message)).toEqual(['connected']);
  });

  it('is made anew in another network; what is on the way goes on where it can', async () => {
    await start();
    await expect.poll(isUp).toBe(true);
    const server = await serverOf((socket) => socket.end('late'));
    const [kept, lost] = [carrier.tunnel('a.test', server.port, 2)!, carrier.tunnel('b.test', server.port, 2)!];
    await Promise.all([kept.answer, lost.answer]);
    carrier.networkChanged((address) => address === '127.0.0.1');
    await expect.poll(() => log.filter(({ message }) => message === 'connected').length).toBe(2);
    kept.stream.write('GET / HTTP/1.1\r\n\r\n');
    expect(Buffer.concat(await kept.stream.toArray()).toString()).toBe('late');
    carrier.networkChanged(() => false);
    await expect.poll(() => log.filter(({ message }) => message === 'connected').length).toBe(3);
    lost.stream.resume();
    await expect.poll(() => lost.stream.closed).toBe(false);
  });

  it('that was left for another network is given up in the end where its relay is there no more', async () => {
    await start();
    await expect.poll(isUp).toBe(true);
    const server = await serverOf();
    const tunnel = carrier.tunnel('a.test', server.port, 2)!;
    expect(await tunnel.answer).toMatchObject({ type: 'connected' });
    relay.goDead();
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
    carrier.networkChanged(() => true);
    await expect.poll(() => {
      vi.advanceTimersByTime(2_000);
      return tunnel.stream.closed;
    }).toBe(true);
    vi.useRealTimers();
    expect(tunnel.ending).toBe('lost');
  });
});
