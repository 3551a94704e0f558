import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeDebian } from './debians.ts';
import { endOf, run, type Ended } from './ended.ts';

const ENVIRONMENT = ['PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'DEBIAN_FRONTEND=noninteractive', 'LC_ALL=C.UTF-8'];
/** Of the package manager itself, of programs that run, and of the kernel: not what a package has left. */
const NOT_LEFT = ['/dev', '/proc', '/run', '/sys', '/tmp', '/var/cache', '/var/lib/dpkg', '/var/log'];

/** A Debian of its own in a folder, as debootstrap makes it and nothing besides. For root alone. */
export class CleanDebian {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** @param suite as in "bookworm" @param packages beside those that every Debian has */
  static async make(suite: string, packages: readonly string[] = []): Promise<CleanDebian> {
    const made = await makeDebian(suite, packages);
    const root = join(mkdtempSync(join(tmpdir(), 'firstscreen-debian-')), suite);
    await run('cp', ['--archive', '--reflink=auto', made, root]);
    return new CleanDebian(root);
  }

  /** Runs a command inside, with processes of its own: none is left, whatever it has started. @param user a number, with its group */
  async run(command: readonly string[], user = 0): Promise<Ended> {
    const inside = ['--mount', '--pid', '--fork', '--kill-child', `--mount-proc=${this.root}/proc`, 'chroot', `--userspec=${user}:${user}`, this.root];
    const home = user === 0 ? '/root' : `/home/${user}`;
    return endOf('unshare', [...inside, 'env', '-i', ...ENVIRONMENT, `HOME=${home}`, ...command]);
  }

  /** Everything that a package may leave or change: each path with its kind, mode and content. */
  snapshot(): Record<string, string> {
    return Object.fromEntries(entriesUnder(this.root, '/'));
  }

  remove(): void {
    rmSync(dirname(this.root), { recursive: true, force: true });
  }
}

function entriesUnder(root: string, directory: string): [string, string][] {
  return readdirSync(join(root, directory)).flatMap((name): [string, string][] => {
    const path = join(directory, name);
    if (NOT_LEFT.includes(path)) return [];
    const stats = lstatSync(join(root, path));
    const mode = stats.mode.toString(8);
    if (stats.isDirectory()) return [[path, mode], ...entriesUnder(root, path)];
    if (stats.isSymbolicLink()) return [[path, readlinkSync(join(root, path))]];
    return [[path, `${mode} ${createHash('sha256').update(readFileSync(join(root, path))).digest('hex')}`]];
  });
}
