/**
 * Runs inside the link's near namespace: `readerWorker.ts PLAN.json`. A client that reads, stops, and reads on, without and with our proxy on its side of the
 * link, in pairs of random order. Tells its results on stdout, one JSON object a line.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { seededRandom, shuffled } from '../../../shared/src/statistics/random.ts';
import { NS_PER_MS } from '../../analysis/arrival.ts';
import { LinkControl } from '../../metrics/testbed.ts';
import { monotonicNs } from '../../metrics/wallClock.ts';
import { BodyClient } from './bodyClient.ts';
import { bytesDeliveredBy, deliveryOf } from './delivery.ts';
import { startOurs } from './proxies.ts';
import { boundedReceiveBuffers, receiveBufferBound } from './receiveBuffers.ts';
import { ReaderPlan, type ReaderMessage } from './readerPlan.ts';
import type { ReaderRun } from './results.ts';
import { lastTransfer } from './transfer.ts';

const TCP_RMEM = '/proc/sys/net/ipv4/tcp_rmem';
const STOP_AFTER_BYTES = 100_000;
const FAR_ADDRESS = process.env['FIRSTSCREEN_FAR_ADDR'] ?? '10.99.0.2';
/** What a run has left on the link is gone before the next one. */
const IDLE_MS = 3_000;
const POLL_MS = 500;

async function main(planFile: string): Promise<void> {
  const plan = v.parse(ReaderPlan, JSON.parse(await readFile(planFile, 'utf8')));
  process.stdin.on('end', () => process.exit(1)).resume();
  const link = new LinkControl(plan.linkSocket);
  const random = seededRandom(plan.seed);
  const machines = (await readFile(TCP_RMEM, 'utf8')).trim();
  for (let run = 1; run <= plan.pairs; run += 1) {
    for (const bound of shuffled(plan.receiveBuffers, random)) {
      // of this namespace only; for new sockets
      await writeFile(TCP_RMEM, bound === null ? machines : boundedReceiveBuffers(machines, bound));
      const receiveBufferBytes = receiveBufferBound(await readFile(TCP_RMEM, 'utf8'));
      for (const way of shuffled(['direct', 'firstscreen'] as const, random)) tell({ type: 'run', run: { run, receiveBufferBytes, ...(await measure(way, plan, link)) } });
    }
  }
  tell({ type: 'end', link: await link.report() });
  process.stdin.destroy();
}

async function measure(way: ReaderRun['way'], plan: ReaderPlan, link: LinkControl): Promise<Omit<ReaderRun, 'run' | 'receiveBufferBytes'>> {
  while ((await link.idleMs()) < IDLE_MS) await sleep(POLL_MS);
  await link.reset();
  // a fresh process: a connection that is kept would have its window from the run before
  const proxy = way === 'direct' ? null : await startOurs([], FAR_ADDRESS, plan.temporaryDir);
  const server = `${FAR_ADDRESS}:${plan.serverPort}`;
  // before the connection: through a proxy the one to the server is opened by the request
  const startNs = monotonicNs();
  const client = await BodyClient.connect(proxy?.route ?? { host: FAR_ADDRESS, port: plan.serverPort, proxy: null }, server, '*/*');
  try {
    let resumeNs = startNs;
    await client.get(plan.bytes, { afterBytes: STOP_AFTER_BYTES, ms: plan.stopMs, onResume: () => (resumeNs = monotonicNs()) });
    const totalMs = (monotonicNs() - startNs) / NS_PER_MS;
    const { finishedNs } = await lastTransfer(plan.serverSocket);
    const flow = deliveryOf(await link.flows(), server);
    const { lateness } = await link.report();
    return {
      way,
      totalMs,
      serverMs: ((finishedNs ?? Number.NaN) - startNs) / NS_PER_MS,
      deliveredMs: (flow.endNs - startNs) / NS_PER_MS,
      deliveredAtResumeBytes: bytesDeliveredBy(flow, resumeNs),
      linkLatenessP99Us: lateness.p99Us,
    };
  } finally {
    client.close();
    await proxy?.process.stop();
  }
}

function tell(message: ReaderMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

await main(process.argv[2] ?? '');
