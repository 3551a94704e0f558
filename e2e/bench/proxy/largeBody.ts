import { setTimeout as sleep } from 'node:timers/promises';
import { BodyClient } from './bodyClient.ts';
import { timed } from './childProcess.ts';
import type { RunningProxy } from './proxies.ts';
import type { BodyRound, MemoryRound } from './results.ts';
import type { OpenWay } from './smallRequests.ts';
import { lastTransfer, type Transfer } from './transfer.ts';

const ANYTHING = '*/*';
/** A reader that has begun and then does something else; long enough for a spool of 256 MiB on a slow disk. */
const STOP = { afterBytes: 1024 * 1024, ms: 10_000 };
/** A process is at rest after its start. */
const SETTLE_MS = 1_000;

export type BodyMeasurement = Omit<BodyRound, 'way' | 'run'>;
export type MemoryMeasurement = Omit<MemoryRound, 'way' | 'run'>;

/** One large body on a new connection. */
export async function measureBody({ route, process }: OpenWay, server: string, bytes: number): Promise<BodyMeasurement> {
  const client = await BodyClient.connect(route, server, ANYTHING);
  try {
    const { ms, processorMs } = await timed(process, () => client.get(bytes));
    return { bytes, ms, processorMs, peakBytes: (await process?.memory())?.peakBytes ?? null };
  } finally {
    client.close();
  }
}

/** Resident memory of a fresh proxy while the reader of a large body stops: what comes meanwhile is kept, or the server has to wait. */
export async function measureMemory({ route, process }: RunningProxy, server: string, serverControl: string, bytes: number): Promise<MemoryMeasurement> {
  await sleep(SETTLE_MS);
  const { rssBytes: idleBytes } = await process.memory();
  const client = await BodyClient.connect(route, server, ANYTHING);
  try {
    const startMs = performance.now();
    const asked: Promise<Transfer>[] = [];
    await client.get(bytes, { ...STOP, onResume: () => void asked.push(lastTransfer(serverControl)) });
    const ms = performance.now() - startMs;
    const [atResume] = await Promise.all(asked);
    if (atResume === undefined) throw new Error('the body ended before its reader stopped');
    return { idleBytes, peakBytes: (await process.memory()).peakBytes, takenBytes: atResume.writtenBytes, ms };
  } finally {
    client.close();
  }
}
