import { execFile, spawn } from 'node:child_process';
import { readlink } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const POLL_MS = 10;
const NEAR_ADDRESS = '10.98.0.1';
export const FAR_ADDRESS = '10.98.0.2';

/** A server in a network namespace of its own, on a wire with this one. It goes with the process namespace. */
export async function wire(mbitPerSecond: number, server: readonly string[]): Promise<void> {
  const far = spawn('unshare', ['--net', ...server], { stdio: ['ignore', 'ignore', 'inherit'] });
  far.on('exit', (code) => process.exit(code ?? 1));
  const own = await readlink('/proc/self/ns/net');
  while ((await readlink(`/proc/${far.pid}/ns/net`)) === own) await sleep(POLL_MS);
  await run('ip', ['link', 'add', 'near0', 'type', 'veth', 'peer', 'name', 'far0', 'netns', String(far.pid)]);
  await end([], 'near0', NEAR_ADDRESS, mbitPerSecond);
  await end(['nsenter', `--net=/proc/${far.pid}/ns/net`], 'far0', FAR_ADDRESS, mbitPerSecond);
}

async function end(within: readonly string[], device: string, address: string, mbitPerSecond: number): Promise<void> {
  const commands = [
    ['ip', 'address', 'add', `${address}/24`, 'dev', device],
    ['ip', 'link', 'set', device, 'up'],
    ...(mbitPerSecond === 0 ? [] : [['tc', 'qdisc', 'add', 'dev', device, 'root', 'tbf', 'rate', `${mbitPerSecond}mbit`, 'burst', '256kb', 'latency', '20ms']]),
  ];
  for (const command of commands) {
    const [program = '', ...words] = [...within, ...command];
    await run(program, words);
  }
}
