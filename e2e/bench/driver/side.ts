/**
 * One end of the link: starts the driver there when it is asked to, then the client or the server of the exchanges. Started by the link, in the side's own
 * network namespace: side.ts BINARIES near|far driver|plain ADDRESS http|https COUNT. The near side prints an exchange a line, and at last the driver's status.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const START_LIMIT_MS = 20_000;
const PORTS = [8080, 8443];

const [binaries = '', side = '', driver = '', address = '', kind = '', count = ''] = process.argv.slice(2);
const exchanges = join(binaries, 'firstscreen-exchanges');
const directory = mkdtempSync(join(tmpdir(), 'firstscreen-driver-bench-'));
process.on('exit', () => {
  rmSync(directory, { recursive: true, force: true });
});
const socket = join(directory, 'driver.sock');

async function startDriver(): Promise<ChildProcess> {
  const config = join(directory, 'driver.json');
  writeFileSync(config, JSON.stringify({ registrations: [{ [side === 'near' ? 'remotePorts' : 'localPorts']: PORTS, policy: ['rar'] }] }));
  const started = spawn(join(binaries, 'firstscreen-driverd'), ['run', '--config', config, '--socket', socket, '--group', 'root', '--user', 'nobody', '--log-level', 'warn'], { stdio: ['ignore', 'ignore', 'inherit'] });
  for (const until = performance.now() + START_LIMIT_MS; performance.now() < until; ) {
    if (started.exitCode !== null) break;
    await sleep(20);
    if (/\(tcx\)|\(clsact\)/.test(spawnSync(join(binaries, 'firstscreen-driverd'), ['status', '--socket', socket], { encoding: 'utf8' }).stdout)) return started;
  }
  throw new Error('the driver did not attach');
}

const running = driver === 'driver' ? await startDriver() : null;
if (side === 'far') {
  const server = spawn(exchanges, ['serve'], { stdio: 'inherit' });
  server.on('exit', (code) => process.exit(code ?? 1));
} else {
  // the server starts at the same time, across the link
  await sleep(1_500);
  const client = spawnSync(exchanges, ['measure', '--host', address, '--count', count, ...(kind === 'https' ? ['--tls'] : [])], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (running !== null) {
    const { stdout } = spawnSync(join(binaries, 'firstscreen-driverd'), ['status', '--socket', socket, '--json'], { encoding: 'utf8' });
    process.stdout.write(`${JSON.stringify({ status: JSON.parse(stdout) as unknown })}\n`);
    running.kill('SIGTERM');
  }
  process.exitCode = client.status ?? 1;
}
