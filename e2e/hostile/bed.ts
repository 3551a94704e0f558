import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { inOwnNamespaces } from './place.ts';
import type { ModeSeen, RunAnswer, RunRequest } from './worker.ts';

/** The bed, from outside: a process in namespaces of its own that ends with this one. */
class Bed {
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.child = child;
  }

  static async start(): Promise<Bed> {
    const [program, ...args] = inOwnNamespaces([process.execPath, path.join(import.meta.dirname, 'worker.ts')]);
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    await Promise.race([once(child, 'message'), once(child, 'exit').then(([code]) => Promise.reject(new Error(`the bed did not start (${String(code)})`)))]);
    return new Bed(child);
  }

  /** Runs cases in one mode. */
  async run(request: RunRequest): Promise<ModeSeen> {
    this.child.send(request);
    const [answer] = (await once(this.child, 'message')) as [RunAnswer];
    if ('error' in answer) throw new Error(answer.error);
    return answer.seen;
  }

  async close(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }
}

/** Several beds: what is to run waits for one that is free. */
export class Beds {
  private readonly all: readonly Bed[];
  private readonly free: Bed[];
  private readonly waiting: ((bed: Bed) => void)[] = [];

  private constructor(all: readonly Bed[]) {
    this.all = all;
    this.free = [...all];
  }

  static async start(count: number): Promise<Beds> {
    return new Beds(await Promise.all(Array.from({ length: count }, () => Bed.start())));
  }

  async run(request: RunRequest): Promise<ModeSeen> {
    const bed = this.free.shift() ?? (await new Promise<Bed>((resolve) => this.waiting.push(resolve)));
    try {
      return await bed.run(request);
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free.push(bed);
      else next(bed);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((bed) => bed.close()));
  }
}
