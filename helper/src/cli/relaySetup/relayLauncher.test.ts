import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../shared/src/node/testing/temporaryDirectory.ts';
import { listenLocally } from '../../../../shared/src/node/testing/localServer.ts';
import { TCP_NOTSENT_LOWAT_BYTES } from '../../../../shared/src/relay/listening.ts';
import { hasPerl } from '../../testing/testFarMachine.ts';
import { relayLauncherText } from './relayLauncher.ts';

/** Says what an accepted connection has, and what the environment says (in.h, tcp.h). */
const LOOK = `use IO::Socket::INET; open(my $l, '+<&=', 2 + $ENV{LISTEN_FDS}) or die; my $c = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => (unpack_sockaddr_in(getsockname $l))[0]) or die; accept(my $a, $l) or die;
print join ' ', unpack('i', getsockopt($a, 6, 25)), unpack('i', getsockopt($c, 6, 25)), $ENV{FIRSTSCREEN_NOTSENT_LOWAT} // '-', unpack('Z*', getsockopt($a, 6, 13)) eq $ENV{FIRSTSCREEN_CONGESTION} ? 'same' : 'other', $ENV{LISTEN_PID} // '-', $$, $ARGV[0] // ''`;

describe.skipIf(!hasPerl())('the launcher (needs perl)', () => {
  let directory: string;
  let launch: string;
  beforeEach(() => {
    directory = temporaryDirectory('firstscreen launcher-');
    launch = join(directory, 'launch');
    writeFileSync(launch, relayLauncherText());
    chmodSync(launch, 0o755);
  });

  it.each([1, 2])('sets on accepted connections what Node can not set, of the last of %i sockets as well, and becomes the program', async (count) => {
    const other = openSync('/dev/null', 'r');
    const listener = await listenLocally(createServer());
    const { fd } = (listener as unknown as { _handle: { fd: number } })._handle;
    const fds = count === 1 ? [fd] : [other, fd];
    const child = spawn(launch, ['/usr/bin/perl', '-e', LOOK, 'word with spaces'], { env: { LISTEN_FDS: String(count), LISTEN_PID: '7' }, stdio: ['ignore', 'pipe', count === 1 ? 'inherit' : 'ignore', ...fds] });
    // or the connection would come to this process
    listener.close();
    closeSync(other);
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await once(child, 'close');
    expect(said).toBe(`${TCP_NOTSENT_LOWAT_BYTES} 0 ${TCP_NOTSENT_LOWAT_BYTES} same 7 ${child.pid} word with spaces`);
  });

  it('starts a program that is given no socket as it is', () => {
    expect(spawnSync(launch, ['/bin/sh', '-c', 'echo "$1 ${FIRSTSCREEN_NOTSENT_LOWAT:-none}"', 'sh', 'a b'], { env: {}, encoding: 'utf8' })).toMatchObject({ status: 0, stdout: 'a b none\n', stderr: '' });
  });

  it('says what it can not start', () => {
    expect(spawnSync(launch, ['/nowhere/relay'], { encoding: 'utf8' })).toMatchObject({ stderr: expect.stringContaining('/nowhere/relay can not be started') as string });
    expect(spawnSync(launch, [], { encoding: 'utf8' }).status).not.toBe(0);
  });
});
