import { spawn, type ChildProcess } from 'node:child_process';
import * as v from 'valibot';
import type { LogSink } from '../../../shared/src/log.ts';
import type { EncodedImage, ImageJob } from './encodeImage.ts';
import { IMAGE_TYPES } from './imageKind.ts';
import { Room } from '../../../shared/src/node/reading/room.ts';

const CoderMessageSchema = v.union([
  v.strictObject({ ready: v.boolean() }),
  v.strictObject({ encoded: v.nullable(v.strictObject({ type: v.picklist(IMAGE_TYPES), body: v.instance(Uint8Array) })) }),
]);

/** A job that takes longer has met a picture that is made to do so. */
const JOB_LIMIT_MS = 5_000;
/** Of all pictures that are kept until they are whole and encoded. */
const MAX_HELD_BYTES = 32 * 1024 * 1024;
/** What waits is as late as it is long: these are more than a page has in view. */
const MAX_WAITING = 64;
/** After so many coders that have died in a row there will be no other. One that has worked says that they can: a relay runs for months, and the kernel may end a few where memory is short. */
const MAX_DEATHS = 20;

interface Waiting {
  readonly job: ImageJob;
  readonly level: () => number;
  readonly done: (encoded: EncodedImage | null) => void;
}

/** A process that encodes (`runCoder`), and the job that it is at. */
interface Coder {
  readonly child: ChildProcess;
  isReady: boolean;
  current: Waiting | null;
  limit: NodeJS.Timeout | undefined;
}

/** @param command that runs a coder. Nothing of the environment is its business */
export function spawnCoder([program = '', ...args]: readonly string[]): ChildProcess {
  return spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], serialization: 'advanced', env: {} });
}

/** A few processes that encode pictures: a job each at a time, the most urgent first. What goes wrong in one costs a picture its smaller form, and nothing else. */
export class ImageCoders {
  readonly held = new Room(MAX_HELD_BYTES);
  private readonly command: readonly string[];
  private readonly log: LogSink;
  private readonly maxDeaths: number;
  private readonly coders = new Set<Coder>();
  private readonly waiting: Waiting[] = [];
  private deaths = 0;
  private isClosed = false;

  /**
   * @param command that runs a coder
   * @param count how many at once
   */
  constructor(command: readonly string[], count: number, log: LogSink, maxDeaths = MAX_DEATHS) {
    [this.command, this.log, this.maxDeaths] = [command, log, maxDeaths];
    while (this.coders.size < count) this.start();
  }

  /** Whether it is of any use to ask. */
  get isThere(): boolean {
    return [...this.coders].some(({ isReady }) => isReady) && this.waiting.length < MAX_WAITING;
  }

  /**
   * @param level as `levelOf` gives it; asked whenever one is chosen
   * @param signal nobody waits for it any more
   * @returns null where the picture stays as it is, whatever the reason
   */
  encode(job: ImageJob, level: () => number, signal: AbortSignal): Promise<EncodedImage | null> {
    if (!this.isThere || signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const waiting: Waiting = { job, level, done: resolve };
      signal.addEventListener('abort', () => {
        const place = this.waiting.indexOf(waiting);
        if (place !== -1) this.waiting.splice(place, 1);
        resolve(null);
      }, { once: true });
      this.waiting.push(waiting);
      this.goOn();
    });
  }

  close(): void {
    this.isClosed = true;
    // of one that did not start there is no process to end
    for (const { child } of this.coders) if (child.pid !== undefined) child.kill('SIGKILL');
  }

  private start(): void {
    const child = spawnCoder(this.command);
    const coder: Coder = { child, isReady: false, current: null, limit: undefined };
    this.coders.add(coder);
    child.on('message', (message) => this.heard(coder, message));
    child.once('error', () => this.ended(coder));
    child.once('exit', () => this.ended(coder));
  }

  private heard(coder: Coder, message: unknown): void {
    const { success, output } = v.safeParse(CoderMessageSchema, message);
    if (!success) coder.child.kill('SIGKILL');
    else if ('ready' in output) {
      coder.isReady = output.ready;
      // it will not do better another time
      if (!output.ready) this.deaths = this.maxDeaths;
    } else {
      if (this.deaths < this.maxDeaths) this.deaths = 0;
      this.finish(coder, output.encoded);
    }
    this.goOn();
  }

  private goOn(): void {
    for (const coder of this.coders) {
      if (!coder.isReady || coder.current !== null || this.waiting.length === 0) continue;
      const next = this.waiting.reduce((best, each) => (each.level() < best.level() ? each : best));
      this.waiting.splice(this.waiting.indexOf(next), 1);
      coder.current = next;
      coder.limit = setTimeout(() => coder.child.kill('SIGKILL'), JOB_LIMIT_MS);
      coder.child.send(next.job, () => undefined);
    }
  }

  private finish(coder: Coder, encoded: EncodedImage | null): void {
    clearTimeout(coder.limit);
    const { current } = coder;
    coder.current = null;
    current?.done(encoded);
  }

  private ended(coder: Coder): void {
    if (!this.coders.delete(coder)) return;
    this.finish(coder, null);
    this.deaths += 1;
    if (this.isClosed) return;
    if (this.deaths < this.maxDeaths) this.start();
    else if (this.coders.size === 0) {
      this.log({ level: 'warn', scope: 'images', message: 'images are not encoded' });
      for (const { done } of this.waiting.splice(0)) done(null);
    }
  }
}
