import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FarMethod } from './farMachine.ts';
import { shellWord } from '../shellWord.ts';
import { scriptCommand, type SshConnection } from './sshConnection.ts';

/** A file to be sent: small ones by their text, an executable by its path here. */
export type SentFile = { readonly name: string; readonly isExecutable: boolean } & ({ readonly text: string } | { readonly path: string });

/** What is run on the far machine. */
export interface FarCommand {
  /** For the shell of the account. */
  readonly line: string;
  /** What the line's `sh` is given to run; null for a line that needs none. */
  readonly script: string | null;
  /** @returns what it printed. @throws FirstscreenError E_SSH, FarFailure */
  run(): Promise<string>;
}

const ROOT_SCRIPT = 'as-root.sh';
const ROOT_OUTPUT = 'as-root.out';

/** The commands of a set-up. */
export class FarShell {
  /** A directory of the set-up's own, in the account's home, where commands begin. */
  readonly stage: string;
  private readonly ssh: SshConnection;
  private readonly rights: FarMethod['rights'];

  constructor(ssh: SshConnection, stage: string, rights: FarMethod['rights']) {
    [this.ssh, this.stage, this.rights] = [ssh, stage, rights];
  }

  /** As the account. */
  script(script: string, ...args: readonly string[]): FarCommand {
    const line = scriptCommand(args);
    return { line, script, run: () => this.ssh.feed(line, Readable.from([script])) };
  }

  /** With the rights of the method: by sudo where the account is not root and it takes root. */
  rootScript(script: string, ...args: readonly string[]): FarCommand {
    if (this.rights === 'sudo') {
      const line = `sudo -n ${scriptCommand(args)}`;
      return { line, script, run: () => this.ssh.feed(line, Readable.from([script])) };
    }
    if (this.rights !== 'asking sudo') return this.script(script, ...args);
    // sudo has the terminal, so the script and what it prints are in files of ours
    const line = `sudo sh ${[this.at(ROOT_SCRIPT), ...args].map(shellWord).join(' ')} > ${shellWord(this.at(ROOT_OUTPUT))}`;
    const run = async (): Promise<string> => {
      await this.sending({ name: ROOT_SCRIPT, isExecutable: false, text: script }).run();
      await this.ssh.runOnTerminal(line);
      return this.ssh.feed(`cat ${shellWord(this.at(ROOT_OUTPUT))}`, null);
    };
    return { line, script, run };
  }

  sending(file: SentFile): FarCommand {
    const line = `sh -c 'umask 077; gzip -dc > "$1" && chmod "$2" "$1"' sh ${shellWord(this.at(file.name))} ${file.isExecutable ? '700' : '600'}`;
    const run = (): Promise<string> => {
      const gzip = createGzip();
      const content = 'text' in file ? Readable.from([file.text]) : createReadStream(file.path);
      // what is cut off the far gzip refuses
      content.once('error', (error: Error) => gzip.destroy(error)).pipe(gzip);
      return this.ssh.feed(line, gzip);
    };
    return { line, script: null, run };
  }

  /** What an archive has (tar, gzip): one that is there, or one that is made on the way of what a directory has under these names. */
  unpacking(archive: { readonly path: string } | { readonly directory: string; readonly names: readonly string[] }): FarCommand {
    // tar sees that its gzip had all of it; what comes belongs to the account
    const line = `sh -c 'umask 077; tar -xozf - -C "$1"' sh ${shellWord(this.stage)}`;
    return { line, script: null, run: () => this.ssh.feed(line, 'path' in archive ? createReadStream(archive.path) : packed(archive)) };
  }

  private at(name: string): string {
    return `${this.stage}/${name}`;
  }
}

/** Never ends as if it were whole where it is not. */
function packed({ directory, names }: { readonly directory: string; readonly names: readonly string[] }): Readable {
  const whole = new PassThrough();
  const tar = spawn('tar', ['-czf', '-', '-C', directory, '--', ...names], { stdio: ['ignore', 'pipe', 'ignore'] });
  tar.stdout.pipe(whole, { end: false });
  tar.once('error', (error) => whole.destroy(error));
  tar.once('close', (status) => {
    if (status === 0) whole.end();
    else whole.destroy(new Error(`tar ended with status ${status}`));
  });
  return whole;
}
