import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { createIdentity, type Identity } from '../../../../shared/src/relay/identity.ts';
import { seededRandom } from '../../../../shared/src/statistics/random.ts';
import { quantile } from '../../../../shared/src/statistics/statistics.ts';
import { BenchProcess } from '../../proxy/childProcess.ts';
import { limitOf, type Results, type Step } from './results.ts';
import { User, type Places } from './user.ts';
import { freePort } from '../../../relay/freePort.ts';

/** As if it were of the public web, which is all that a relay goes to. */
const ORIGIN_HOST = '127.0.0.2';
const LOOPBACK = '127.0.0.1';
/** Until what was made for a handshake is gone. */
const SETTLE_MS = 2_000;
/** Handshakes at a time: a relay has a limit of them. */
const TOGETHER = 10;
const OWNER_ONLY = 0o600;
const MS_PER_SECOND = 1_000;

export interface StepPlaces {
  readonly relayMain: string;
  readonly temporaryDir: string;
}

/** So many users read for a while, at a relay of their own. */
export async function measureStep(users: number, { seconds, thinkSeconds, seed }: Results['options'], { relayMain, temporaryDir }: StepPlaces): Promise<Step> {
  const directory = join(temporaryDir, `relay-${users}`);
  const port = await freePort();
  await promisify(execFile)(process.execPath, [relayMain, 'init', '--directory', directory, '--listen', `${LOOPBACK}:${port}`]);
  const identities = await Promise.all(Array.from({ length: users }, (_, n) => createIdentity(`user-${n}`, new Date())));
  await letIn(join(directory, 'relay.json'), identities);
  const { process: origin, line } = await BenchProcess.withLine(process.execPath, [join(import.meta.dirname, 'origin.ts'), ORIGIN_HOST]);
  const relay = await BenchProcess.withPort('env', [`FIRSTSCREEN_PUBLIC=${ORIGIN_HOST}/32`, process.execPath, relayMain, 'serve', '--directory', directory], port);
  try {
    const places = { relay: { host: LOOPBACK, port }, origin: { host: ORIGIN_HOST, port: v.parse(v.object({ port: v.number() }), line).port } };
    return await read(identities, relay, places, { seconds, thinkSeconds, seed });
  } finally {
    await relay.stop();
    await origin.stop();
  }
}

async function read(identities: readonly Identity[], relay: BenchProcess, places: Places, { seconds, thinkSeconds, seed }: Pick<Results['options'], 'seconds' | 'thinkSeconds' | 'seed'>): Promise<Step> {
  const { length: count } = identities;
  await sleep(SETTLE_MS);
  const empty = await relay.memory();
  const users: User[] = [];
  for (let first = 0; first < count; first += TOGETHER) {
    users.push(...(await Promise.all(identities.slice(first, first + TOGETHER).map((identity, place) => User.connect(identity, places, seededRandom(seed + first + place))))));
  }
  await sleep(SETTLE_MS);
  const idle = await relay.memory();
  const [startMs, relayMs, own] = [performance.now(), await relay.processorMs(), process.cpuUsage()];
  await Promise.all(users.map((user) => user.read(thinkSeconds * MS_PER_SECOND, startMs + seconds * MS_PER_SECOND)));
  const tookMs = performance.now() - startMs;
  const ownUsed = process.cpuUsage(own);
  const relayProcessor = ((await relay.processorMs()) - relayMs) / tookMs;
  const { peakBytes } = await relay.memory();
  for (const user of users) user.close();
  const times = users.flatMap(({ visits }) => visits.times);
  const added = times.map(({ relayedMs, directMs }) => relayedMs - directMs);
  const direct = times.map(({ directMs }) => directMs);
  const sum = (of: (user: User) => number): number => users.reduce((total, user) => total + of(user), 0);
  const step: Omit<Step, 'limit'> = {
    users: count,
    seconds: tookMs / MS_PER_SECOND,
    pages: sum(({ visits }) => visits.pages),
    failedPages: sum(({ visits }) => visits.failed),
    objects: times.length,
    addedMs: { p50: quantile(added, 0.5), p95: quantile(added, 0.95), p99: quantile(added, 0.99) },
    directMs: { p50: quantile(direct, 0.5), p95: quantile(direct, 0.95) },
    relayProcessor,
    usersProcessor: (ownUsed.user + ownUsed.system) / MS_PER_SECOND / tookMs,
    idleBytesOfUser: (idle.rssBytes - empty.rssBytes) / count,
    peakBytesOfUser: (peakBytes - empty.rssBytes) / count,
  };
  return { ...step, limit: limitOf(step) };
}

/** As "allow" does, for all at once. */
async function letIn(file: string, identities: readonly Identity[]): Promise<void> {
  const settings = v.parse(v.looseObject({}), JSON.parse(await readFile(file, 'utf8')));
  const clients = identities.map(({ fingerprint }, n) => ({ name: `user-${n}`, fingerprint }));
  await writeFile(file, JSON.stringify({ ...settings, clients }), { mode: OWNER_ONLY });
}
