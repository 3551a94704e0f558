import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BENCH_RELAY } from '../browsers/executables.ts';
import { addRelay, makePairing, type Pairing } from '../relay/pairing.ts';
import type { Certificates } from './certificates.ts';

/** How the bed's helpers use a relay: for connections; or it makes the requests of all hosts. */
export const RELAY_USES = ['tunnel', 'terminated'] as const;
export type RelayUse = (typeof RELAY_USES)[number];

/** Both ends of the link between the bed and the relay's machine, which is as public as servers are. */
const [BED_LINK, RELAY_LINK] = ['relay0', 'relay1'];
const [BED_ADDRESS, RELAY_ADDRESS, PORT] = ['93.184.218.1', '93.184.218.2', 4433];
/** How often it is looked whether the namespace is there. */
const LOOK_MS = 5;

/** A relay on a machine of its own: another network namespace, from which it asks the bed's name server. */
export class BedRelay {
  private readonly child: ChildProcess;
  private readonly pairing: Pairing;
  private readonly use: RelayUse;

  private constructor(child: ChildProcess, pairing: Pairing, use: RelayUse) {
    [this.child, this.pairing, this.use] = [child, pairing, use];
  }

  /** @param dir of all that the bed makes */
  static async start(dir: string, { authorityFile }: Certificates, use: RelayUse): Promise<BedRelay> {
    const directory = path.join(dir, 'relay');
    const pairing = await makePairing(directory, `${RELAY_ADDRESS}:${PORT}`);
    const resolver = path.join(dir, 'relay-resolv.conf');
    writeFileSync(resolver, `nameserver ${BED_ADDRESS}\n`);
    const script = [
      'read linked', 'ip link set lo up', `ip addr add ${RELAY_ADDRESS}/24 dev ${RELAY_LINK}`, `ip link set ${RELAY_LINK} up`, `ip route add default via ${BED_ADDRESS}`,
      `mount --bind '${resolver}' /etc/resolv.conf`, 'exec "$@"',
    ].join(' && ');
    const child = spawn('unshare', ['-nm', 'sh', '-c', script, 'sh', process.execPath, BENCH_RELAY, 'serve', '--directory', directory], {
      stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, FIRSTSCREEN_AUTHORITIES: authorityFile },
    });
    await inNamespaceOfItsOwn(child.pid);
    link(child.pid);
    child.stdin.end('linked\n');
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(([code]) => Promise.reject(new Error(`the relay did not start (${String(code)})`)))]);
    return new BedRelay(child, pairing, use);
  }

  /** Gives it to a helper. @param configHome its XDG_CONFIG_HOME */
  addTo(configHome: string): void {
    addRelay(configHome, this.pairing, { host: RELAY_ADDRESS, port: PORT, terminates: this.use === 'terminated' });
  }

  close(): void {
    this.child.kill('SIGKILL');
  }
}

/** Until `unshare` has made it. */
async function inNamespaceOfItsOwn(pid: number | undefined): Promise<void> {
  const namespaceOf = (process: string): string => readlinkSync(`/proc/${process}/ns/net`);
  while (namespaceOf(String(pid)) === namespaceOf('self')) await sleep(LOOK_MS);
}

function link(pid: number | undefined): void {
  const ip = (...args: readonly string[]): void => void execFileSync('ip', args);
  ip('link', 'add', BED_LINK, 'type', 'veth', 'peer', 'name', RELAY_LINK, 'netns', String(pid));
  ip('link', 'set', BED_LINK, 'addrgenmode', 'none');
  ip('addr', 'add', `${BED_ADDRESS}/24`, 'dev', BED_LINK);
  ip('link', 'set', BED_LINK, 'up');
}
