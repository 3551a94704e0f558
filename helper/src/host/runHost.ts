import { homedir } from 'node:os';
import type { LogSink } from '../../../shared/src/log.ts';
import { reasonOf } from '../files.ts';
import { MemoryStore, memoryPath } from '../memory/memoryStore.ts';
import { createLogSink, logLevelOf } from '../logSink.ts';
import { DriverLink } from '../driver/driverLink.ts';
import { driverSocketPath } from '../driver/driverMessages.ts';
import { claimStdout } from './claimStdout.ts';
import { ownProxy } from '../proxy/ownProxy.ts';
import { spoolPath } from '../spool/spoolFile.ts';
import { spoolOf } from '../spool/spoolSizes.ts';
import type { Composition } from '../parts.ts';
import { readTrust } from '../trust/readTrust.ts';
import { PROTOCOL_VERSION } from '../../../shared/src/protocol/native.ts';
import { HostOutput, STATUS_BROWSER_GONE } from './hostOutput.ts';
import { HostProxy } from './hostProxy.ts';
import { HostSession } from './hostSession.ts';
import { LeaveQuestions } from './leaveQuestions.ts';
import { serveStdio } from './stdioHost.ts';

/**
 * Runs the native messaging host on this process's streams until the browser closes them.
 *
 * @param args what the browser appended to the command: see identifyCaller
 * @param composition what the helper is composed of
 * @returns the status to end the process with: 0 after end-of-file, when what the proxy had under way has ended
 */
export async function runHost(args: readonly string[], composition: Composition): Promise<number> {
  const log = createLogSink({ stream: process.stderr, level: logLevelOf(process.env), now: () => new Date() });
  // logging must outlive a reader who closes standard error
  process.stderr.on('error', () => undefined);
  const memory = new MemoryStore(memoryPath(process.platform, homedir(), process.env));
  const saving = setInterval(() => save(memory, log), SAVE_MS);
  const output = new HostOutput(claimStdout(log), log);
  const spoolDirectory = spoolPath(process.platform, homedir(), process.env);
  const proxy = new HostProxy({
    ...composition,
    questions: new LeaveQuestions((message) => output.say(message)),
    spoolDirectory,
    roundTrip: (rttMs) => void output.say({ v: PROTOCOL_VERSION, id: 0, type: 'link', payload: { rttMs } }),
    expected: (url) => memory.expected(url),
    ownProxy: () => ownProxy(process.platform, process.env),
    trust: () => readTrust({ platform: process.platform, home: homedir(), env: process.env }, new Date()),
    log,
  });
  // before any connection is made: only those that follow are protected
  const driver = new DriverLink({ path: driverSocketPath(process.env), processId: process.pid, spool: spoolOf(spoolDirectory), log });
  const session = new HostSession({ memory, proxy, driver });
  const status = await serveStdio({ session, args, input: process.stdin, output });
  clearInterval(saving);
  save(memory, log);
  // a stream that can not be followed ends the helper at once: the browser learns of it by that
  if (status === STATUS_BROWSER_GONE) await proxy.drain();
  await proxy.close();
  driver.close();
  log({ level: 'info', scope: 'host', message: 'ended', fields: { status } });
  return status;
}

/** A helper that is killed loses no more than this of what it has learnt. */
const SAVE_MS = 10_000;

/** What can not be kept is not worth an error that anybody sees: pages are as fast as on a first visit. */
function save(memory: MemoryStore, log: LogSink): void {
  try {
    memory.save();
  } catch (error) {
    log({ level: 'warn', scope: 'host', message: 'the memory of pages could not be written', fields: { reason: reasonOf(error) } });
  }
}
