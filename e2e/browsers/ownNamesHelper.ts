import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RequestEvent } from '../../shared/src/requests/requestEvent.ts';
import { readRecord } from '../bench/recordFile.ts';
import { BENCH_HELPER } from './executables.ts';

/** Leads to this machine for the helper, and nowhere for a browser (gate/browsers.ts): what comes from there has gone by the helper. */
export const HELPERS_HOST = 'known.example';

/** The real helper with a directory of its own, and with a hosts file that it alone sees. It helps on loopback too, which is a fast link. */
export class OwnNamesHelper {
  /** Where it keeps what it learns, among others. */
  readonly dir: string;
  /** Text of an executable script that starts it. */
  readonly script: string;

  private constructor(dir: string, script: string) {
    this.dir = dir;
    this.script = script;
  }

  /**
   * @param names lead to this machine
   * @param options of the helper, beside those of the browser
   * @param partsOff parts of the helper that are left out
   * @param knownNetwork name of the network that it is in, and knows as fast; empty for what it sees itself
   */
  static async make(names: readonly string[], options: readonly string[] = [], partsOff: readonly string[] = ['steppingAside'], knownNetwork = ''): Promise<OwnNamesHelper> {
    const dir = await mkdtemp(path.join(tmpdir(), 'firstscreen-helper-'));
    const hosts = path.join(dir, 'hosts');
    await writeFile(hosts, `127.0.0.1 localhost ${HELPERS_HOST} ${names.join(' ')}\n`);
    const unshare = process.getuid?.() === 0 ? 'unshare -m' : 'unshare -rm';
    const run = `${unshare} sh -c 'mount --bind ${hosts} /etc/hosts && exec "$@"' sh '${process.execPath}' '${BENCH_HELPER}' host ${options.join(' ')} "$@"`;
    return new OwnNamesHelper(dir, `#!/bin/sh\necho $$ >> '${dir}/pids'\nexport FIRSTSCREEN_PARTS_OFF='${partsOff.join(',')}' FIRSTSCREEN_KNOWN_NETWORK='${knownNetwork}' FIRSTSCREEN_PUBLIC=127.0.0.0/8 FIRSTSCREEN_RECORD='${recordFileOf(dir)}' XDG_STATE_HOME='${dir}' XDG_CACHE_HOME='${dir}'\nexec ${run}\n`);
  }

  /** What it was asked for, or has asked for ahead, as far as half a second ago: what was both is there twice. */
  async urls(): Promise<string[]> {
    return (await this.record()).flatMap((event) => (event.type === 'asked' || event.type === 'foreseen' ? [event.url] : []));
  }

  /** What it was asked for, as far as half a second ago. */
  async asked(): Promise<string[]> {
    return (await this.record()).flatMap((event) => (event.type === 'asked' ? [event.url] : []));
  }

  /** What it has sent, each request once, with the connection on which it was sent last; as far as half a second ago. */
  async sent(): Promise<(readonly [url: string, connection: number])[]> {
    const [urls, connections] = [new Map<number, string>(), new Map<number, number>()];
    for (const event of await this.record()) {
      if (event.type === 'asked' || event.type === 'foreseen') urls.set(event.request, event.url);
      if (event.type === 'sent') connections.set(event.request, event.connection);
    }
    return [...connections].map(([request, connection]) => [urls.get(request) ?? '', connection]);
  }

  /** Kills what was started last. */
  async kill(): Promise<void> {
    const pids = (await readFile(path.join(this.dir, 'pids'), 'utf8')).trim().split('\n');
    process.kill(Number(pids.at(-1)), 'SIGKILL');
  }

  private async record(): Promise<RequestEvent[]> {
    return (await readRecord(recordFileOf(this.dir))) ?? [];
  }

  async remove(): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
    await rm(recordFileOf(this.dir), { force: true });
  }
}

/** Beside what the helper keeps, which some tests read. */
function recordFileOf(dir: string): string {
  return `${dir}.requests.jsonl`;
}
