import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { BenchError } from '../../errors.ts';

const TRIES = 100;
const PAUSE_MS = 10;

/** Does something with a cgroup that is there meanwhile, and goes with this process. @throws BenchError E_CGROUP */
export async function withCgroup<T>(name: string, use: (path: string) => Promise<T>): Promise<T> {
  const mount = /^\S+ (\S+) cgroup2 /m.exec(readFileSync('/proc/mounts', 'utf8'))?.[1];
  if (mount === undefined) throw new BenchError('E_CGROUP', 'There is no cgroup2', 'mount it: mount -t cgroup2 none /sys/fs/cgroup/unified');
  const path = join(mount, name);
  mkdirSync(path);
  const remove = (): void => removeGroup(path);
  process.on('exit', remove);
  try {
    return await use(path);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** Ends what still runs in it; it is empty a moment after. */
function removeGroup(path: string): void {
  writeFileSync(join(path, 'cgroup.kill'), '1');
  for (let tries = TRIES; ; tries -= 1) {
    try {
      rmdirSync(path);
      return;
    } catch (error) {
      if (tries === 0) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

/** A command that runs in a cgroup. */
export function inCgroup(path: string, command: readonly string[]): string[] {
  return ['sh', '-c', 'echo 0 > "$0/cgroup.procs" && exec "$@"', path, ...command];
}
