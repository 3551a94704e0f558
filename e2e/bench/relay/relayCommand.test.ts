import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { relayCommand } from './relayCommand.ts';

const AUTHORITY_DELAY_MS = 300;
const NAMES = ['tcp_congestion_control', 'tcp_notsent_lowat', 'tcp_slow_start_after_idle'];
/** As root a namespace is made as it is; else inside one of users. */
const UNSHARE = process.getuid?.() === 0 ? ['--net'] : ['--user', '--map-root-user', '--net'];

describe('relayCommand', () => {
  let directory: string;
  beforeEach(() => void (directory = temporaryDirectory("relay's command-")));

  /** In a network namespace of its own; a program takes the relay's place that shows its arguments, and the kernel's settings there. */
  const run = async (change: (command: string) => string) => {
    const program = join(directory, 'shows.mjs');
    await writeFile(program, `import { readFileSync } from 'node:fs'; console.log(JSON.stringify([process.argv.slice(2), readFileSync(process.env.FIRSTSCREEN_AUTHORITIES, 'utf8'), ...${JSON.stringify(NAMES)}.map((name) => readFileSync('/proc/sys/net/ipv4/' + name, 'utf8').trim())]));`);
    const authorityFile = join(directory, 'ca.pem');
    const written = sleep(AUTHORITY_DELAY_MS).then(() => writeFile(authorityFile, 'PEM'));
    const command = change(relayCommand({ node: process.execPath, relayMain: program, directory, authorityFile }));
    return promisify(execFile)('unshare', [...UNSHARE, '/bin/sh', '-c', command]).finally(() => written);
  };

  it('sets the kernel up in its namespace, waits for the authority of the test bed, and becomes the relay', async (context) => {
    const ran = await run((command) => command).catch((error: unknown) => error as { readonly stderr?: string });
    if (!('stdout' in ran)) return context.skip(`needs namespaces and BBR: ${ran.stderr ?? ''}`);
    expect(JSON.parse(ran.stdout)).toEqual([['serve', '--directory', directory], 'PEM', 'bbr', '16384', '0']);
  });

  it('says with a code what the kernel does not take', async (context) => {
    const failed = await run((command) => command.replaceAll('bbr', 'no-such-control')).catch((error: unknown) => error as { readonly code?: unknown; readonly stderr?: string });
    const line = failed.stderr?.split('\n').find((text) => text.startsWith('{'));
    if (line === undefined) return context.skip(`needs namespaces: ${failed.stderr ?? ''}`);
    expect(JSON.parse(line)).toMatchObject({ code: 'E_RELAY_KERNEL', message: expect.stringContaining('net.ipv4.tcp_congestion_control') as string });
    expect('code' in failed && failed.code).toBe(2);
  });
});
