import { join } from 'node:path';
import * as v from 'valibot';
import { plansInTurns } from '../driver/turns.ts';
import { BenchProcess } from './childProcess.ts';
import { measureBody, measureMemory } from './largeBody.ts';
import type { ProxyBenchOptions } from './options.ts';
import type { Peers } from './peers.ts';
import { startProxy } from './proxies.ts';
import type { BodyRound, MemoryRound, SmallRound } from './results.ts';
import { measureSmallRequests, type OpenWay } from './smallRequests.ts';
import { SMALL_KINDS, WAYS, type ProxyWay, type Way } from './ways.ts';

const LOOPBACK = '127.0.0.1';

interface Cost {
  readonly small: SmallRound[];
  readonly body: BodyRound[];
  readonly memory: MemoryRound[];
}

/** What a proxy costs on loopback: small requests, a large body, and the memory that a slow reader takes. */
export async function measureCost(options: ProxyBenchOptions, temporaryDir: string, peers: Peers, tell: (text: string) => void): Promise<Cost> {
  const cost: Cost = { small: [], body: [], memory: [] };
  const control = join(temporaryDir, 'server.sock');
  const { process: server, line } = await BenchProcess.withLine(process.execPath, [join(import.meta.dirname, 'bodyServer.ts'), '--control', control]);
  const { port } = v.parse(v.object({ port: v.number() }), line);
  const address = `${LOOPBACK}:${port}`;
  try {
    if (options.parts.includes('small') || options.parts.includes('body')) await measureSpeed(options, temporaryDir, peers, address, cost, tell);
    if (options.parts.includes('memory')) {
      for (const { way, run } of turns(PROXY_WAYS, options.memoryRounds, options.seed)) {
        const proxy = await startProxy(way, temporaryDir, peers);
        try {
          cost.memory.push({ way, run, ...(await measureMemory(proxy, address, control, options.bodyBytes)) });
        } finally {
          await proxy.process.stop();
        }
        tell(`memory ${run}, ${way}`);
      }
    }
  } finally {
    await server.stop();
  }
  return cost;
}

const PROXY_WAYS = WAYS.filter((way): way is ProxyWay => way !== 'direct');

/** All ways stay open for all rounds, as proxies do; the body comes last, for it swells those that keep it. */
async function measureSpeed(options: ProxyBenchOptions, temporaryDir: string, peers: Peers, server: string, cost: Cost, tell: (text: string) => void): Promise<void> {
  const ways = new Map<Way, OpenWay>();
  const [host = '', port] = server.split(':');
  ways.set('direct', { route: { host, port: Number(port), proxy: null }, process: null });
  try {
    for (const way of PROXY_WAYS) ways.set(way, await startProxy(way, temporaryDir, peers));
    if (options.parts.includes('small')) {
      for (const kind of SMALL_KINDS) {
        await measureSmallRequests(kind, { ways, server, ...options, onRound: (round) => cost.small.push(round) });
        tell(`small requests, ${kind.name}`);
      }
    }
    if (options.parts.includes('body')) {
      for (const { way, run } of turns(WAYS, options.bodyRounds, options.seed)) {
        const open = ways.get(way);
        if (open !== undefined) cost.body.push({ way, run, ...(await measureBody(open, server, options.bodyBytes)) });
        tell(`body ${run}, ${way}`);
      }
    }
  } finally {
    for (const { process: started } of ways.values()) await started?.stop();
  }
}

/** Every way once a round, in random order. */
function turns<W>(ways: readonly W[], rounds: number, seed: number): { way: W; run: number }[] {
  return plansInTurns([{}], 'way', ways, { rounds, seed }).map(({ way, round }) => ({ way, run: round + 1 }));
}
