import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { isSea } from 'node:sea';
import type { LogSink } from '../../../shared/src/log.ts';
import { createLogSink, logLevelOf } from '../../../shared/src/logSink.ts';
import { DAY_MS } from '../../../shared/src/memory/cachedUntil.ts';
import { reasonOf } from '../../../shared/src/node/reasonOf.ts';
import { MemoryStore, memoryPath } from '../memory/memoryStore.ts';
import { NetworkFollower } from '../networks/networkFollower.ts';
import { NetworkStore } from '../networks/networkStore.ts';
import { DriverLink } from '../driver/driverLink.ts';
import { driverSocketPath } from '../driver/driverMessages.ts';
import type { Follow } from '../driver/spoolRelay.ts';
import { claimStdout } from './claimStdout.ts';
import { ObjectRanks } from '../prediction/objectRanks.ts';
import { ownProxy } from '../proxy/ownProxy.ts';
import { isFile } from '../files.ts';
import { spoolPath } from '../spool/spoolFile.ts';
import { spoolOf } from '../spool/spooledBody.ts';
import type { Composition } from '../parts.ts';
import { bodiesPath } from '../relay/bodyStore.ts';
import { readRelayConfig } from '../relay/relayConfig.ts';
import { readTrust } from '../trust/readTrust.ts';
import { PROTOCOL_VERSION } from '../../../shared/src/protocol/native.ts';
import { HostOutput, STATUS_BROWSER_GONE } from './hostOutput.ts';
import { HostProxy } from './hostProxy.ts';
import { HostSession } from './hostSession.ts';
import { LeaveQuestions } from './leaveQuestions.ts';
import { RequestNews } from './requestNews.ts';

/**
 * Runs the native messaging host on this process's streams until the browser closes them.
 *
 * @param args what the browser appended to the command: see identifyCaller
 * @param composition what the helper is composed of
 * @returns the status to end the process with: 0 after end-of-file, when what the proxy had under way has ended
 */
export async function runHost(args: readonly string[], composition: Composition): Promise<number> {
  const log = createLogSink(process.stderr, logLevelOf(process.env), () => new Date());
  // logging must outlive a reader who closes standard error
  process.stderr.on('error', () => undefined);
  const account = { platform: process.platform, home: homedir(), env: process.env };
  const memory = new MemoryStore(memoryPath(account));
  const networkStore = new NetworkStore(dirname(memoryPath(account)));
  const mayLearn = (): boolean => isFile(ownProgram());
  const save = (): void => {
    if (mayLearn()) keep('written', () => memory.save(), log);
  };
  const saving = setInterval(save, SAVE_MS);
  const expire = (): void => {
    keep('expired', () => memory.expire(), log);
    keep('expired', () => networkStore.expire(), log);
  };
  const expiring = setInterval(expire, DAY_MS);
  const output = new HostOutput(claimStdout(log), log);
  const spoolDirectory = spoolPath(account);
  const ranks = new ObjectRanks();
  const questions = new LeaveQuestions((message) => output.say(message));
  // before any connection is made: only those that follow are protected
  const driver = new DriverLink({ path: driverSocketPath(process.env), processId: process.pid, spool: spoolOf(spoolDirectory), log, ...(composition.parts.rangeRepair && { following: followingOf(log) }) });
  const proxy = new HostProxy({
    ...composition,
    driver,
    ranks,
    questions,
    spoolDirectory,
    bodiesDirectory: bodiesPath(memoryPath(account)),
    linkChanged: (payload) => void output.say({ v: PROTOCOL_VERSION, id: 0, type: 'link', payload }),
    expected: (url) => memory.expected(url),
    addressOf: (host) => memory.addressOf(host),
    ownProxy: () => ownProxy(account),
    trust: () => readTrust(account, new Date()),
    relay: () => readRelayConfig(account),
    log,
  });
  const news = new RequestNews(composition.recording, output, () => Date.now());
  const networks = new NetworkFollower({ look: composition.network, store: networkStore, changed: () => void output.say({ v: PROTOCOL_VERSION, id: 0, type: 'networkChanged', payload: {} }), log });
  const session = new HostSession({ memory, proxy, ranks, questions, driver, news, networks, mayLearn });
  const status = await serve(session, args, output);
  clearInterval(saving);
  clearInterval(expiring);
  networks.close();
  news.want(false);
  save();
  // a stream that can not be followed ends the helper at once: the browser learns of it by that
  if (status === STATUS_BROWSER_GONE) await proxy.drain();
  await proxy.close();
  // at its end, as pages wait when it is started; also where nobody remembers any more
  expire();
  driver.close();
  log({ level: 'info', scope: 'host', message: 'ended', fields: { status } });
  return status;
}

/** The file that runs, by the name under which it was started. */
function ownProgram(): string {
  return isSea() ? process.execPath : (process.argv[1] ?? '');
}

/** Follows connections of programs, so that what they load is repaired; what that needs is not loaded before there is one. */
function followingOf(log: LogSink): (driver: DriverLink) => Promise<Follow> {
  let follow: Promise<Follow> | null = null;
  return (driver) => (follow ??= import(/* webpackMode: "eager" */ '../programs/followPrograms.ts').then(({ followPrograms }) => followPrograms({ driver, now: () => performance.now(), log })));
}

/**
 * Runs a session on this process's streams until it closes; gives the status to end the process with.
 *
 * Back-pressure: nothing is read, and no further answer is made, while the browser does not take the last one. So a browser that only sends costs one read of
 * input and one high-water mark of output.
 */
async function serve(session: HostSession, args: readonly string[], output: HostOutput): Promise<number> {
  let status = await output.perform(session.started(args));
  if (status !== null) return status;
  for await (const chunk of process.stdin) {
    status = await output.perform(session.received(chunk as Uint8Array));
    if (status !== null) return status;
  }
  return (await output.perform(session.ended())) ?? STATUS_BROWSER_GONE;
}

/** A helper that is killed loses no more than this of what it has learnt. */
const SAVE_MS = 10_000;

/** What can not be kept is not worth an error that anybody sees: pages are as fast as on a first visit. */
function keep(done: string, run: () => void, log: LogSink): void {
  try {
    run();
  } catch (error) {
    log({ level: 'warn', scope: 'host', message: `the memory of pages or networks could not be ${done}`, fields: { reason: reasonOf(error) } });
  }
}
