import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endOf, type Ended } from './ended.ts';

const ENVIRONMENT = ['env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'LC_ALL=C.UTF-8'];
const BOOT_LIMIT_MS = 60_000;
const LOOK_MS = 250;

/**
 * Makes a folder the root of new namespaces, and systemd their first process. `container` is what tells systemd that
 * it is not alone on the machine (systemd.io/CONTAINER_INTERFACE).
 */
const INIT = `set -e
root=$1
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
set -- null 1 3 zero 1 5 full 1 7 random 1 8 urandom 1 9 tty 5 0
while [ $# -gt 0 ]; do mknod -m 666 "$root/dev/$1" c "$2" "$3"; shift 3; done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
ip link set lo up
cd "$root"
pivot_root . mnt
umount -l /mnt
exec env -i container=firstscreen-test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --show-status=0
`;

/** A Debian in a folder that systemd has booted, with a network of its own that has nothing but loopback. For root alone. */
export class BootedDebian {
  private readonly machine: ChildProcess;
  /** Of its systemd, as this machine numbers it. */
  private readonly pid: number;

  private constructor(machine: ChildProcess, pid: number) {
    [this.machine, this.pid] = [machine, pid];
  }

  /** @param root a Debian with systemd, which is changed */
  static async boot(root: string): Promise<BootedDebian> {
    writeFileSync(join(root, 'etc/machine-id'), '');
    // all that runs inside ends with it
    const machine = spawn('unshare', ['--pid', '--mount', '--net', '--uts', '--ipc', '--cgroup', '--fork', '--kill-child', 'sh', '-c', INIT, 'sh', root], { stdio: ['ignore', 'inherit', 'inherit'] });
    const booted = new BootedDebian(machine, await childOf(machine));
    for (let leftMs = BOOT_LIMIT_MS; ; leftMs -= LOOK_MS) {
      const { output } = await booted.run(['systemctl', 'is-system-running']);
      if (/^(running|degraded)$/m.test(output)) return booted;
      if (leftMs <= 0) throw new Error(`systemd has not booted ${root}: ${output}`);
      await sleep(LOOK_MS);
    }
  }

  /** Runs a command inside, as root. */
  async run(command: readonly string[]): Promise<Ended> {
    return endOf('nsenter', [`--target=${this.pid}`, '--pid', '--mount', '--net', '--uts', '--ipc', '--cgroup', '--root', '--wdns=/', ...ENVIRONMENT, ...command]);
  }

  /** Runs a command of this machine in the network of that one. */
  async runInItsNetwork(command: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
    return endOf('nsenter', [`--target=${this.pid}`, '--net', '--', ...command], env);
  }

  async shutDown(): Promise<void> {
    const closed = once(this.machine, 'close');
    this.machine.kill('SIGKILL');
    await closed;
  }
}

/** The process that `unshare --fork` has made, once it is systemd. */
async function childOf({ pid }: ChildProcess): Promise<number> {
  const children = `/proc/${pid}/task/${pid}/children`;
  for (let leftMs = BOOT_LIMIT_MS; leftMs > 0; leftMs -= LOOK_MS) {
    const child = existsSync(children) ? readFileSync(children, 'utf8').trim() : '';
    if (child !== '' && readFileSync(`/proc/${child}/comm`, 'utf8').startsWith('systemd')) return Number(child);
    await sleep(LOOK_MS);
  }
  throw new Error('systemd was not started.');
}
