import { seededRandom, shuffled } from '../../../shared/src/statistics/random.ts';
import { median, quantile } from '../../../shared/src/statistics/statistics.ts';
import { BodyClient, type Route } from './bodyClient.ts';
import { timed, type MeasuredProcess } from './childProcess.ts';
import type { SmallRound } from './results.ts';
import type { SmallKind, Way } from './ways.ts';

/** How one way is gone, and what is measured of it. */
export interface OpenWay {
  readonly route: Route;
  readonly process: MeasuredProcess | null;
}

export interface SmallRequestsOptions {
  readonly ways: ReadonlyMap<Way, OpenWay>;
  /** host:port. */
  readonly server: string;
  readonly rounds: number;
  /** Of each way, over all rounds. */
  readonly requests: number;
  readonly seed: number;
  readonly onRound: (round: SmallRound) => void;
}

const ANSWER_BYTES = 1024;
/** Connections are opened and hot code is compiled before anything counts. */
const WARM_UP = 1_000;
const P95 = 0.95;

/** Rounds of one kind of small requests; in each every way once, in random order. */
export async function measureSmallRequests(kind: SmallKind, { ways, server, rounds, requests, seed, onRound }: SmallRequestsOptions): Promise<void> {
  const random = seededRandom(seed);
  const clients = new Map<Way, BodyClient[]>();
  try {
    for (const way of kind.ways) {
      const { route } = openWay(ways, way);
      const opened: BodyClient[] = [];
      clients.set(way, opened);
      while (opened.length < kind.connections) opened.push(await BodyClient.connect(route, server, kind.accept));
      await ask(opened, WARM_UP);
    }
    const perRound = Math.max(1, Math.floor(requests / rounds));
    for (let run = 1; run <= rounds; run += 1) {
      for (const way of shuffled(kind.ways, random)) {
        const { process } = openWay(ways, way);
        const { result: samplesMs, ms, processorMs } = await timed(process, () => ask(clients.get(way) ?? [], perRound));
        onRound({
          kind: kind.name, way, run, requests: perRound, medianMs: median(samplesMs), p95Ms: quantile(samplesMs, P95), perSecond: (perRound / ms) * 1_000,
          processorMs: processorMs === null ? null : processorMs / perRound,
        });
      }
    }
  } finally {
    for (const opened of clients.values()) for (const client of opened) client.close();
  }
}

/** @returns how long each request took, from its first byte out to its last byte in */
async function ask(clients: readonly BodyClient[], times: number): Promise<number[]> {
  const samplesMs: number[] = [];
  let toCome = times;
  await Promise.all(
    clients.map(async (client) => {
      while (toCome > 0) {
        toCome -= 1;
        const startMs = performance.now();
        await client.get(ANSWER_BYTES);
        samplesMs.push(performance.now() - startMs);
      }
    }),
  );
  return samplesMs;
}

function openWay(ways: ReadonlyMap<Way, OpenWay>, way: Way): OpenWay {
  const open = ways.get(way);
  if (open === undefined) throw new Error(`the way ${way} is not open`);
  return open;
}
