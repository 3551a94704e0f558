import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { createIdentity, type Identity } from '../../../../shared/src/relay/identity.ts';
import { freePort } from '../../../../shared/src/node/testing/freePort.ts';
import { seededRandom } from '../../../../shared/src/statistics/random.ts';
import { quantile } from '../../../../shared/src/statistics/statistics.ts';
import { BENCH_RELAY } from '../../../browsers/executables.ts';
import { HAPROXY, haproxyEnvironment } from '../../../relay/haproxy.ts';
import { letIn } from '../../../relay/pairing.ts';
import { total } from '../../driver/comparison.ts';
import { BenchProcess } from '../../proxy/childProcess.ts';
import type { ProcessMemory } from '../../proxy/procfs.ts';
import type { LoadOptions } from './options.ts';
import { limitOf, type Step } from './results.ts';
import { User, type Places } from './user.ts';

/** As if it were of the public web, which is all that a relay goes to. */
const ORIGIN_HOST = '127.0.0.2';
const LOOPBACK = '127.0.0.1';
const BYTE_BITS = 8;
/** Until what was made for a handshake is gone. */
const SETTLE_MS = 2_000;
/** Handshakes at a time: a relay has a limit of them. */
const TOGETHER = 10;
const MS_PER_SECOND = 1_000;

/** So many users read for a while, at relays of their own. */
export async function measureStep(users: number, { seconds, thinkSeconds, seed, relays: count }: LoadOptions, temporaryDir: string): Promise<Step> {
  const identities = await Promise.all(Array.from({ length: users }, (_, n) => createIdentity(`user-${n}`, new Date())));
  const { process: origin, line } = await BenchProcess.withLine(process.execPath, [join(import.meta.dirname, 'origin.ts'), ORIGIN_HOST]);
  const started: BenchProcess[] = [];
  try {
    const ports: number[] = [];
    for (let n = 0; n < count; n += 1) {
      const port = await freePort();
      const directory = join(temporaryDir, `relay-${users}-${n}`);
      await makeRelay(directory, n === 0 ? null : join(temporaryDir, `relay-${users}-0`), port);
      letIn(directory, identities);
      started.push(await BenchProcess.withPort('env', [`FIRSTSCREEN_PUBLIC=${ORIGIN_HOST}/32`, process.execPath, BENCH_RELAY, 'serve', '--directory', directory], port));
      ports.push(port);
    }
    const relays = [...started];
    const haproxy = count === 1 ? null : await startHaproxy(ports);
    if (haproxy !== null) started.push(haproxy.process);
    const places = { relay: { host: LOOPBACK, port: haproxy?.port ?? ports[0] ?? 0 }, origin: { host: ORIGIN_HOST, port: v.parse(v.object({ port: v.number() }), line).port } };
    return await read(identities, relays, haproxy?.process ?? null, places, { seconds, thinkSeconds, seed });
  } finally {
    for (const each of started) await each.stop();
    await origin.stop();
  }
}

/** Of all together. */
async function memoryOf(relays: readonly BenchProcess[]): Promise<ProcessMemory> {
  const each = await Promise.all(relays.map((relay) => relay.memory()));
  return { rssBytes: total(each.map(({ rssBytes }) => rssBytes)), peakBytes: total(each.map(({ peakBytes }) => peakBytes)) };
}

/** @param like a relay whose key it has; null for a key of its own */
async function makeRelay(directory: string, like: string | null, port: number): Promise<void> {
  await promisify(execFile)(process.execPath, [BENCH_RELAY, 'init', '--directory', directory, '--listen', `${LOOPBACK}:${port}`]);
  if (like !== null) for (const name of ['key.pem', 'certificate.pem']) await copyFile(join(like, name), join(directory, name));
}

async function startHaproxy([a = 0, b = 0]: readonly number[]): Promise<{ readonly process: BenchProcess; readonly port: number }> {
  const port = await freePort();
  const settings = Object.entries(haproxyEnvironment(port, [a, b])).map(([name, value]) => `${name}=${value}`);
  return { process: await BenchProcess.withPort('env', [...settings, ...HAPROXY], port), port };
}

/** Each user has one, so that HAProxy does not take them for one. */
function addressOf(user: number): string {
  return `127.1.${user >> BYTE_BITS}.${user & 0xff}`;
}

async function read(identities: readonly Identity[], relays: readonly BenchProcess[], haproxy: BenchProcess | null, places: Places, { seconds, thinkSeconds, seed }: Pick<LoadOptions, 'seconds' | 'thinkSeconds' | 'seed'>): Promise<Step> {
  const { length: count } = identities;
  await sleep(SETTLE_MS);
  const processorMs = () => Promise.all([...relays, ...(haproxy === null ? [] : [haproxy])].map((each) => each.processorMs()));
  const empty = await memoryOf(relays);
  const users: User[] = [];
  for (let first = 0; first < count; first += TOGETHER) {
    users.push(...(await Promise.all(identities.slice(first, first + TOGETHER).map((identity, place) => User.connect(identity, places, seededRandom(seed + first + place), addressOf(first + place))))));
  }
  await sleep(SETTLE_MS);
  const idle = await memoryOf(relays);
  const [startMs, before, own] = [performance.now(), await processorMs(), process.cpuUsage()];
  await Promise.all(users.map((user) => user.read(thinkSeconds * MS_PER_SECOND, startMs + seconds * MS_PER_SECOND)));
  const tookMs = performance.now() - startMs;
  const ownUsed = process.cpuUsage(own);
  const shares = (await processorMs()).map((ms, n) => (ms - (before[n] ?? 0)) / tookMs);
  const { peakBytes } = await memoryOf(relays);
  for (const user of users) user.close();
  const times = users.flatMap(({ visits }) => visits.times);
  const added = times.map(({ relayedMs, directMs }) => relayedMs - directMs);
  const direct = times.map(({ directMs }) => directMs);
  const step: Omit<Step, 'limit'> = {
    users: count,
    seconds: tookMs / MS_PER_SECOND,
    pages: total(users.map(({ visits }) => visits.pages)),
    failedPages: total(users.map(({ visits }) => visits.failed)),
    objects: times.length,
    addedMs: { p50: quantile(added, 0.5), p95: quantile(added, 0.95), p99: quantile(added, 0.99) },
    directMs: { p50: quantile(direct, 0.5), p95: quantile(direct, 0.95) },
    relayProcessor: Math.max(...shares.slice(0, relays.length)),
    haproxyProcessor: shares[relays.length] ?? null,
    usersProcessor: (ownUsed.user + ownUsed.system) / MS_PER_SECOND / tookMs,
    idleBytesOfUser: (idle.rssBytes - empty.rssBytes) / count,
    peakBytesOfUser: (peakBytes - empty.rssBytes) / count,
  };
  return { ...step, limit: limitOf(step) };
}
