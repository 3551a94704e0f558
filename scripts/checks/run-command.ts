import { spawn } from 'node:child_process';
import process from 'node:process';

/** How a command ended, and what it said. */
export interface CommandResult {
  readonly exitCode: number | null;
  readonly output: string;
  readonly stdout: string;
  /** Why it was ended before its own end, if it was. */
  readonly brokenOff?: string;
}

export interface CommandOptions {
  readonly cwd: string;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
  /** Shows output as it comes; without it output is only collected. */
  readonly show?: boolean;
  /** Everything else goes first. */
  readonly givesWay?: boolean;
}

const GRACE_MS = 5000;
const MS_PER_SECOND = 1000;
/** By the nice value of the command, and by that of its session, where the kernel compares sessions (sched(7), "The autogroup feature"). */
const GIVING_WAY = ['sh', '-c', '{ echo 19 >/proc/self/autogroup; } 2>/dev/null; exec nice -n 19 "$@"', 'sh'];

/**
 * Runs a command in a process group of its own, so that when time is up or the run is interrupted, what it started ends with it.
 * A command that can not be started is a result too: exit code null and the cause in the output.
 */
export async function runCommand(command: string, args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const [program = command, ...words] = [...(options.givesWay === true ? GIVING_WAY : []), command, ...args];
  const child = spawn(program, words, { cwd: options.cwd, env: { ...process.env, ...options.env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  let stdout = '';
  let brokenOff: string | undefined;
  const onData = (chunk: string): void => {
    output += chunk;
    if (options.show === true) process.stdout.write(chunk);
  };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    onData(chunk);
  });
  child.stderr.setEncoding('utf8').on('data', onData);

  const signalGroup = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, signal);
    } catch {
      // The group is gone already, which is what was wanted.
    }
  };
  let killTimer: NodeJS.Timeout | undefined;
  const breakOff = (reason: string): void => {
    if (brokenOff !== undefined) return;
    brokenOff = reason;
    signalGroup('SIGTERM');
    killTimer = setTimeout(() => {
      signalGroup('SIGKILL');
    }, GRACE_MS);
  };
  const onAbort = (): void => {
    breakOff('interrupted');
  };
  const limitTimer = setTimeout(() => {
    breakOff(`not done after ${Math.round(options.limitMs / MS_PER_SECOND)} s`);
  }, options.limitMs);
  if (options.signal.aborted) onAbort();
  options.signal.addEventListener('abort', onAbort);

  const exitCode = await new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      output += `${error.message}\n`;
      resolve(null);
    });
    // 'close', not 'exit': all output has been read by then.
    child.on('close', resolve);
  });
  clearTimeout(limitTimer);
  clearTimeout(killTimer);
  options.signal.removeEventListener('abort', onAbort);
  // Whatever the command left running in its group would disturb the next check.
  signalGroup('SIGKILL');
  return { exitCode, output, stdout, ...(brokenOff === undefined ? {} : { brokenOff }) };
}
