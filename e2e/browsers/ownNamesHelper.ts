import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const HELPER = process.env['FIRSTSCREEN_HELPER'] ?? path.join(import.meta.dirname, '../../dist/helper/firstscreen-helper.mjs');

/** The real helper with a directory of its own, and with a hosts file that it alone sees. */
export class OwnNamesHelper {
  private readonly dir: string;
  /** Text of an executable script that starts it. */
  readonly script: string;

  private constructor(dir: string, script: string) {
    this.dir = dir;
    this.script = script;
  }

  /**
   * @param names lead to this machine
   * @param options of the helper, beside those of the browser
   */
  static async make(names: readonly string[], options: readonly string[] = []): Promise<OwnNamesHelper> {
    const dir = await mkdtemp(path.join(tmpdir(), 'firstscreen-helper-'));
    const hosts = path.join(dir, 'hosts');
    await writeFile(hosts, `127.0.0.1 localhost ${names.join(' ')}\n`);
    const unshare = process.getuid?.() === 0 ? 'unshare -m' : 'unshare -rm';
    const run = `${unshare} sh -c 'mount --bind ${hosts} /etc/hosts && exec "$@"' sh '${process.execPath}' '${HELPER}' host ${options.join(' ')} "$@"`;
    return new OwnNamesHelper(dir, `#!/bin/sh\necho $$ >> '${dir}/pids'\nexport XDG_STATE_HOME='${dir}' XDG_CACHE_HOME='${dir}'\nexec ${run}\n`);
  }

  /** Kills what was started last. */
  async kill(): Promise<void> {
    const pids = (await readFile(path.join(this.dir, 'pids'), 'utf8')).trim().split('\n');
    process.kill(Number(pids.at(-1)), 'SIGKILL');
  }

  remove(): Promise<void> {
    return rm(this.dir, { recursive: true, force: true });
  }
}
