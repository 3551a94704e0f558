/**
 * One end of the link: starts the driver there when it is asked to, then the client or the server of the exchanges. Started by the link, in the side's own
 * network namespace: side.ts near driver|plain ADDRESSES http|https COUNT, or
 * side.ts far driver|plain DIRECTORY. The near side prints an exchange a line, and at last the driver's status.
 */
import { spawn, spawnSync } from 'node:child_process';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXCHANGES } from '../../../browsers/executables.ts';
import { RunningDriver } from '../runningDriver.ts';

const PORTS = [8080, 8443];
/** The server starts at the same time, across the link. */
const SERVER_START_MS = 1_500;

const [side = '', driver = '', addressesOrDirectory = '', kind = '', count = ''] = process.argv.slice(2);

const running = driver === 'driver' ? await RunningDriver.start([{ [side === 'near' ? 'remotePorts' : 'localPorts']: PORTS, policy: ['rar'] }], side === 'far' ? addressesOrDirectory : undefined) : null;
if (side === 'far') {
  const server = spawn(EXCHANGES, ['serve'], { stdio: 'inherit' });
  server.on('exit', (code) => process.exit(code ?? 1));
} else {
  await sleep(SERVER_START_MS);
  const client = spawnSync(EXCHANGES, ['measure', '--hosts', addressesOrDirectory, '--count', count, ...(kind === 'https' ? ['--tls'] : [])], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (running !== null) process.stdout.write(`${JSON.stringify({ status: await running.status() })}\n`);
  await running?.stop();
  process.exitCode = client.status ?? 1;
}
