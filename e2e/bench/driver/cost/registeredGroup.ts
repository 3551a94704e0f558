import { mkdir, readFile, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BenchError } from '../../errors.ts';

/** Does something with a cgroup that is there meanwhile. @throws BenchError E_CGROUP */
export async function withCgroup<T>(name: string, use: (path: string) => Promise<T>): Promise<T> {
  const mount = /^\S+ (\S+) cgroup2 /m.exec(await readFile('/proc/mounts', 'utf8'))?.[1];
  if (mount === undefined) throw new BenchError('E_CGROUP', 'There is no cgroup2', 'mount it: mount -t cgroup2 none /sys/fs/cgroup/unified');
  const path = join(mount, name);
  await mkdir(path);
  try {
    return await use(path);
  } finally {
    await rmdir(path);
  }
}

/** A command that runs in a cgroup. */
export function inCgroup(path: string, command: readonly string[]): string[] {
  return ['sh', '-c', 'echo 0 > "$0/cgroup.procs" && exec "$@"', path, ...command];
}
