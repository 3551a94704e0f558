import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shellWord } from '../cli/shellWord.ts';

/** As the set-up has built it: it starts in less than half of the processor time that its sources take, and a set-up starts it five times. */
const RELAY_ENTRY = fileURLToPath(new URL('../../../dist/relay/firstscreen-relay.mjs', import.meta.url));
/** An executable's head for x86-64 (ELF): as much as is looked at here. */
const ELF_HEAD = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 62, 0]);

/** What is looked for beside an executable. */
const LIBRARIES = ['sharp', '@img/colour', '@img/sharp-linux-x64', '@img/sharp-libvips-linux-x64', 'detect-libc'];

const ROOT_PLACES = ['usr/local/lib', 'etc/systemd/system', 'var/lib'];

/** What the far machine says it is. */
export interface FarNature {
  readonly machine: string;
  readonly uid: number;
  readonly hasSystemd: boolean;
  readonly sudo: 'none' | 'asks' | 'free';
  /** Of its `firstscreen-relay --version`; null: the true one. */
  readonly version: string | null;
  /** Lets its users' programs run while they are away. */
  readonly lingers: boolean;
  /** Has directories of root of its own, for which a test has to be root. */
  readonly hasRoot: boolean;
}

const DEBIAN: FarNature = { machine: 'x86_64', uid: 1000, hasSystemd: true, sudo: 'none', version: null, lingers: true, hasRoot: false };

/**
 * A machine that is reached by an `ssh` of its own: commands run here, in another home directory, with another path in which systemctl starts what
 * the units say, with a socket as systemd gives it. The relay is the true one.
 */
export class TestFarMachine {
  readonly home: string;
  /** Where `ssh` is, for the helper's path. */
  readonly localPath: string;
  /** In place of the relay's archive: an executable, with a library beside it. */
  readonly program: string;
  /** The executable of it, with the library beside it. */
  readonly executable: string;
  private readonly base: string;

  constructor(nature: Partial<FarNature> = {}) {
    const { machine, uid, hasSystemd, sudo, version, lingers, hasRoot } = { ...DEBIAN, ...nature };
    this.base = mkdtempSync(join(tmpdir(), 'firstscreen-far-'));
    const [farBin, localBin] = [join(this.base, 'bin'), join(this.base, 'local')];
    this.home = join(this.base, "home o'user");
    this.localPath = `${localBin}:/usr/bin:/bin`;
    for (const directory of [this.home, farBin, localBin]) mkdirSync(directory);
    const write = (directory: string, name: string, text: string, shell = '/bin/sh'): void => {
      writeFileSync(join(directory, name), `#!${shell}\n${text}\n`);
      chmodSync(join(directory, name), 0o755);
    };
    [this.program, this.executable] = [join(this.base, 'relay-program.tar.gz'), join(this.base, 'relay/firstscreen-relay')];
    for (const name of LIBRARIES) mkdirSync(join(this.base, 'relay/node_modules', name), { recursive: true });
    writeFileSync(join(this.base, 'relay/node_modules/sharp/package.json'), '{}', { mode: 0o600 });
    writeFileSync(this.executable, ELF_HEAD);
    execFileSync('tar', ['-czf', this.program, '-C', join(this.base, 'relay'), 'firstscreen-relay', 'node_modules']);
    for (const place of ROOT_PLACES) mkdirSync(join(this.base, 'root', place), { recursive: true });
    write(localBin, 'ssh', this.ssh(farBin, hasRoot));
    write(farBin, 'uname', `if [ "$1" = -m ]; then echo ${machine}; else echo Linux; fi`);
    write(farBin, 'id', `if [ "$1" = -u ]; then echo ${uid}; else echo user; fi`);
    // what is sent as an executable becomes the relay of this checkout
    const relay = version === null ? `export NODE_COMPILE_CACHE=${shellWord(process.env['NODE_COMPILE_CACHE'] ?? '')}; exec ${shellWord(process.execPath)} ${shellWord(RELAY_ENTRY)} "$@"` : `echo ${version}`;
    write(farBin, 'gzip', `/usr/bin/gzip "$@" > ${shellWord(join(this.base, 'sent'))} || exit 1\nif [ "$(head -c 4 ${shellWord(join(this.base, 'sent'))} | tail -c 3)" = ELF ]; then printf '#!/bin/sh\\n%s\\n' ${shellWord(relay)}; else cat ${shellWord(join(this.base, 'sent'))}; fi`);
    write(farBin, 'tar', `/usr/bin/tar "$@" || exit\nfor directory in "$@"; do :; done\nif [ -e "$directory/firstscreen-relay" ]; then printf '#!/bin/sh\\n%s\\n' ${shellWord(relay)} > "$directory/firstscreen-relay"; chmod 700 "$directory/firstscreen-relay"; fi`);
    write(farBin, 'ls', `case $2 in /run/systemd/system) exit ${hasSystemd ? 0 : 2} ;; esac\nexec /bin/ls "$@"`);
    write(farBin, 'loginctl', `case $1 in show-user) echo ${lingers ? 'yes' : 'no'} ;; enable-linger) : > ${shellWord(join(this.base, 'lingers'))} ;; disable-linger) rm ${shellWord(join(this.base, 'lingers'))} ;; esac`);
    write(farBin, 'systemctl', this.systemctl(), '/usr/bin/perl');
    // after a second systemd knows of a program that has ended at once; this one does not end so
    write(farBin, 'sleep', 'exec /bin/sleep 0.1');
    if (sudo !== 'none') write(farBin, 'sudo', `if [ "$1" = -n ]; then ${sudo === 'free' ? 'shift' : 'exit 1'}; fi\nexec "$@"`);
  }

  /** So many commands later one fails: before it does anything, or after it has done all. */
  failAt(commands: number, when: 'before' | 'after'): void {
    writeFileSync(join(this.base, 'fail'), `${commands} ${when}`);
  }

  /** From now on ssh has no connection. */
  loseConnection(): void {
    writeFileSync(join(this.base, 'lost'), '');
  }

  /** Commands that have run, but for the ends of connections. */
  get commands(): string[] {
    return existsSync(join(this.base, 'commands')) ? readFileSync(join(this.base, 'commands'), 'utf8').split('\u0000').slice(0, -1) : [];
  }

  get isLingering(): boolean {
    return existsSync(join(this.base, 'lingers'));
  }

  /** Everything in the home directory, and in root's. */
  snapshot(): string[] {
    const under = (place: string): string[] => readdirSync(place, { recursive: true, encoding: 'utf8' }).map((name) => `${name} ${(lstatSync(join(place, name)).mode & 0o777).toString(8)}`);
    return [...under(this.home), ...under(join(this.base, 'root'))].sort();
  }

  /** Whether a relay runs that was started here. */
  get isRunning(): boolean {
    const file = join(this.base, 'pid');
    if (!existsSync(file)) return false;
    // one that has ended and that nobody has waited for has no program
    return existsSync(`/proc/${readFileSync(file, 'utf8').trim()}/exe`);
  }

  remove(): void {
    if (this.isRunning) process.kill(Number(readFileSync(join(this.base, 'pid'), 'utf8')), 'SIGKILL');
    rmSync(this.base, { recursive: true });
  }

  private ssh(farBin: string, hasRoot: boolean): string {
    const binds = ROOT_PLACES.map((place) => `mount --bind ${shellWord(join(this.base, 'root', place))} /${place} && `).join('');
    const run = hasRoot ? `unshare --mount sh -c ${shellWord(`${binds}exec sh -c "$0"`)}` : 'sh -c';
    const at = (name: string): string => shellWord(join(this.base, name));
    return `
for word in "$@"; do command=$word; done
case "$1" in -G) printf 'user user\\nhostname 127.0.0.1\\nport 22\\n'; exit 0 ;; esac
for word in "$@"; do [ "$word" != -O ] || exit 0; done
if [ -e ${at('lost')} ]; then echo "ssh: connect to host: Connection refused" >&2; exit 255; fi
printf '%s\\0' "$command" >> ${at('commands')}
when=
if [ -e ${at('fail')} ]; then
    read -r left when < ${at('fail')}
    echo "$((left - 1)) $when" > ${at('fail')}
    if [ "$left" -ne 1 ]; then when=; fi
fi
if [ "$when" = before ]; then echo "it fails here" >&2; exit 1; fi
cd ${shellWord(this.home)}
env -i HOME=${shellWord(this.home)} PATH=${shellWord(farBin)}:/usr/bin:/bin ${run} "$command" || exit $?
if [ "$when" = after ]; then echo "it fails here" >&2; exit 1; fi`;
  }

  /** Of what a set-up uses of it: one service, with the socket of its unit. */
  private systemctl(): string {
    return `use strict; use warnings; use IO::Socket::INET; use POSIX qw(setsid);
my $pidfile = '${join(this.base, 'pid')}';
my $user = grep { $_ eq '--user' } @ARGV;
my @words = grep { !/^--/ } @ARGV;
my $verb = shift @words // '';
my $units = $user ? "$ENV{HOME}/.config/systemd/user" : '/etc/systemd/system';
sub setting { my ($unit, $name) = @_; open(my $file, '<', "$units/$unit") or die "Unit $unit not found.\\n"; my @found = map { /^$name=(.*)/ ? $1 : () } <$file>; return $found[-1] }
# one that has ended and that nobody has waited for has no program
sub runs { return defined readlink "/proc/$_[0]/exe" }
sub pid { open(my $file, '<', $pidfile) or return; my $pid = <$file>; chomp $pid; return runs($pid) ? $pid : undef }
sub start {
    my $port = setting('firstscreen-relay.socket', 'ListenStream');
    my $command = setting('firstscreen-relay.service', 'ExecStart');
    $^F = 10;
    my $socket = IO::Socket::INET->new(LocalAddr => '0.0.0.0', LocalPort => $port, Listen => 5, ReuseAddr => 1) or die "Failed to listen on $port: $!\\n";
    my $pid = fork();
    if (!$pid) {
        setsid();
        open(STDIN, '<', '/dev/null'); open(STDOUT, '>', '/dev/null'); open(STDERR, '>', '/dev/null');
        POSIX::dup2(fileno($socket), 3);
        $ENV{LISTEN_PID} = $$; $ENV{LISTEN_FDS} = 1;
        my @command = map { s/%h/$ENV{HOME}/r } split / /, $command;
        exec { $command[0] } @command;
        exit 1;
    }
    open(my $file, '>', $pidfile) or die; print $file "$pid\\n"; close $file;
}
sub stop {
    my $pid = pid(); if ($pid) { kill('TERM', $pid); for (1 .. 100) { last unless runs($pid); select(undef, undef, undef, 0.05) } }
    unlink $pidfile;
}
if ($verb eq 'enable') { start() } elsif ($verb eq 'disable') { stop() } elsif ($verb eq 'restart') { stop(); start() }
elsif ($verb eq 'is-active') {
    exit(pid() ? 0 : 3);
} elsif ($verb eq 'status') {
    print "the relay does not run\\n"; exit 3;
}
exit 0;`;
  }
}

/** Whether this machine has what the far one is made of. */
export function hasPerl(): boolean {
  try {
    execFileSync('/usr/bin/perl', ['-MIO::Socket::INET', '-e', '1']);
    return true;
  } catch {
    return false;
  }
}
