import { writeFileSync } from 'node:fs';
import { createLogSink, logLevelOf } from '../../shared/src/logSink.ts';
import type { IsPublic } from '../../shared/src/names/addressPolicy.ts';
import { died } from '../../shared/src/node/died.ts';
import { runCli } from './cli/runCli.ts';
import { CODER_WORD, runCoder } from './encoding/coderProcess.ts';
import { ownCommand, ownProgram } from './ownProgram.ts';

/**
 * Runs the command line of this process.
 *
 * @param isPublic where the relay may connect to
 * @param authorities besides those of browsers, PEM; null for none
 */
export async function start(isPublic: IsPublic, authorities: string | null): Promise<void> {
  if (process.argv[2] === CODER_WORD) {
    endFirst();
    await runCoder(ownProgram());
    return;
  }
  process.on('uncaughtException', died);
  // logging must outlive a reader who closes standard error
  process.stderr.on('error', () => undefined);
  const ended = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ended.abort());
  process.exitCode = await runCli(process.argv.slice(2), {
    print: (text) => process.stdout.write(`${text}\n`),
    printError: (text) => process.stderr.write(`${text}\n`),
    log: createLogSink(process.stderr, logLevelOf(process.env), () => new Date()),
    ended: ended.signal,
    isPublic,
    authorities,
    coder: ownCommand(CODER_WORD),
    env: process.env,
  });
}

/** Where memory is short the kernel takes this process, which costs a picture its smaller form, and not the relay (proc_pid_oom_score_adj(5)). */
function endFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // the kernel chooses
  }
}
