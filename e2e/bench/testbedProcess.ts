import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { LINK } from '../browsers/executables.ts';
import { BenchError } from './errors.ts';
import { Fatal } from './workerMessages.ts';

export interface TestbedCommand {
  readonly linkOptions: readonly string[];
  /** Words without blanks of the program on the far side, which ends with the link. */
  readonly far: readonly string[];
  /** For a shell in the relay's namespace, which the link makes with its second hop. */
  readonly relay?: string | undefined;
  readonly worker: readonly string[];
  readonly logFile: string;
}

export interface RunningTestbed {
  /** Resolves when the whole tree has ended; rejects with the coded error that one of its parts told. */
  readonly ended: Promise<void>;
  /** Asks the worker to finish what can be finished. */
  stop(): void;
  /** Ends everything now. */
  kill(): void;
}

/** Programs of the test bed say nothing else in it; a line of the product's logs has more. */
const CodedLine = v.strictObject({ code: v.pipe(v.string(), v.startsWith('E_')), message: v.string(), next: v.optional(v.string(), '') });

/**
 * Starts the link with the servers on its far side and the worker on its near side.
 *
 * The tree gets a process group of its own: Ctrl-C in a terminal then reaches only the bench, which asks the worker to finish, instead of
 * killing browser, link and worker at once. Should the bench die, the worker sees the end of its stdin and finishes; whatever way this
 * process ends by itself, the tree does not outlive it.
 *
 * @param schema of what the worker tells, a JSON object a line
 */
export function startTestbed<Message>(command: TestbedCommand, schema: v.GenericSchema<unknown, Message>, onMessage: (message: Message) => void): RunningTestbed {
  const relay = command.relay === undefined ? [] : ['--relay', command.relay];
  const child = spawn(LINK, [...command.linkOptions, ...relay, '--far', command.far.join(' '), '--', ...command.worker], { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const kill = (): void => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  process.on('exit', kill);
  child.stdin.on('error', () => undefined);
  const log = createWriteStream(command.logFile);
  const failures: BenchError[] = [];

  createInterface({ input: child.stdout }).on('line', (line) => {
    const told = parseJson(line);
    const fatal = v.safeParse(Fatal, told);
    const message = v.safeParse(schema, told);
    if (fatal.success) failures.push(new BenchError(fatal.output.code, fatal.output.message, fatal.output.next));
    else if (message.success) onMessage(message.output);
    else {
      log.write(`stdout: ${line}\n`);
      // a load that is told in vain is not left out in silence
      if (typeof told === 'object' && told !== null) failures.push(new BenchError('E_TESTBED', 'what the worker told is not understood', `this is a defect of the bench: see ${command.logFile}`));
    }
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    log.write(`${line}\n`);
    const coded = v.safeParse(CodedLine, parseJson(line));
    if (coded.success) failures.push(new BenchError(coded.output.code, coded.output.message, coded.output.next));
  });

  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', (error) => reject(new BenchError('E_TESTBED', `Starting the link ${LINK}: ${error.message}`, 'build the test bed: npm start does it', { cause: error })));
    child.once('close', (status, signal) => {
      process.off('exit', kill);
      log.end();
      const [first] = failures;
      if (first) reject(first);
      else if (status === 0 || signal !== null) resolve();
      else reject(new BenchError('E_TESTBED', `the test bed ended with status ${status}`, `read ${command.logFile}`));
    });
  });
  return { ended, stop: () => child.kill('SIGTERM'), kill };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
