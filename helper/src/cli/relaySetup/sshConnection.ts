import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FirstscreenError } from '../../../../shared/src/errors.ts';
import { reasonOf } from '../../../../shared/src/node/reasonOf.ts';
import { printable } from './farMachine.ts';
import { shellWord } from '../shellWord.ts';
import { sshTargetText, sshWords, type SshTarget } from './sshTarget.ts';

/** ssh's own failure, by which it is told from the command's (ssh(1), "EXIT STATUS"). */
const SSH_FAILED = 255;
/** The shared connection outlives the last command so long: what kills the helper leaves it no longer. */
const PERSIST_SECONDS = 60;
/** A link that is gone ends a command within a minute. */
const ALIVE_OPTIONS = ['-o', 'ConnectTimeout=30', '-o', 'ServerAliveInterval=15', '-o', 'ServerAliveCountMax=4'];
/** What a command says on standard error, as far as it is told on. */
const MAX_SAID_CHARACTERS = 2_000;

/** A command of the far machine that has failed, and what it said. */
export class FarFailure extends Error {
  override readonly name = 'FarFailure';
}

export interface SshSurroundings {
  /** In which ssh is looked for and runs. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What ssh says while it connects: it may ask for something. */
  readonly showConnecting: (text: string) => void;
}

/** The user's own ssh, with all that he has told it, over one connection that all commands share: it asks once whatever it asks. */
export class SshConnection {
  private readonly target: SshTarget;
  private readonly surroundings: SshSurroundings;
  /** Of the socket by which the commands share a connection (mode 0700). */
  private readonly directory = mkdtempSync(join(tmpdir(), 'fs-'));
  private isConnected = false;

  constructor(target: SshTarget, surroundings: SshSurroundings) {
    [this.target, this.surroundings] = [target, surroundings];
  }

  /** The words of a command line, from `ssh` on. @param command for the far machine's shell */
  words(command: string, { onTerminal = false } = {}): string[] {
    return ['ssh', ...this.sharing(), ...ALIVE_OPTIONS, onTerminal ? '-t' : '-T', ...sshWords(this.target), command];
  }

  /** A command as one would type it. */
  text(command: string): string {
    return ['ssh', ...sshWords(this.target), shellWord(command)].join(' ');
  }

  /** The host that ssh would connect to: what the user's ssh_config makes of the name. @throws FirstscreenError E_SSH */
  async hostName(): Promise<string> {
    const said = await this.start(['ssh', '-G', ...sshWords(this.target)], null);
    return /^hostname (\S+)$/m.exec(said)?.[1] ?? this.target.host;
  }

  /** Runs a command there, with this as its input. @returns what it printed. @throws FirstscreenError E_SSH, FarFailure */
  async feed(command: string, input: Readable | null): Promise<string> {
    return this.start(this.words(command), input);
  }

  /** Runs a command on the terminal of whoever runs the helper, who may be asked for a password. @throws FirstscreenError E_SSH, FarFailure */
  async runOnTerminal(command: string): Promise<void> {
    await this.start(this.words(command, { onTerminal: true }), 'terminal');
  }

  /** Ends the shared connection. */
  async close(): Promise<void> {
    try {
      if (this.isConnected) await this.start(['ssh', ...this.sharing(), '-O', 'exit', ...sshWords(this.target)], null);
    } catch {
      // it has ended by itself
    } finally {
      rmSync(this.directory, { recursive: true, force: true });
    }
  }

  private sharing(): string[] {
    // in the path of a socket ssh reads percent signs
    return ['-S', join(this.directory, 'c').replaceAll('%', '%%'), '-o', 'ControlMaster=auto', '-o', `ControlPersist=${PERSIST_SECONDS}`];
  }

  private async start([program = '', ...args]: readonly string[], input: Readable | 'terminal' | null): Promise<string> {
    const onTerminal = input === 'terminal';
    const child = spawn(program, args, { env: { ...this.surroundings.env }, stdio: onTerminal ? 'inherit' : [input === null ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', (error) => reject(noSsh(error)));
      child.once('close', resolve);
    });
    let [printed, said] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (!this.isConnected) this.surroundings.showConnecting(printable(text));
      said = `${said}${text}`.slice(-MAX_SAID_CHARACTERS);
    });
    // a command that has ended without reading to the end says why by its status
    const fed = onTerminal || input === null || child.stdin === null ? null : pipeline(input, child.stdin).catch(() => undefined);
    const status = await ended;
    await fed;
    if (status === SSH_FAILED || status === null) throw this.noConnection(said);
    if (args.includes(`ControlPersist=${PERSIST_SECONDS}`)) this.isConnected = true;
    if (status !== 0) throw new FarFailure(printable(said.trim()) || `it ended with status ${status}`);
    return printed;
  }

  private noConnection(said: string): FirstscreenError {
    const text = printable(said.trim());
    return new FirstscreenError('E_SSH', `ssh has no connection to ${sshTargetText(this.target)}${text === '' ? '' : `: ${text}`}.`, `See that "ssh ${sshWords(this.target).filter((word) => word !== '--').join(' ')}" works by itself, then run the command again.`);
  }
}

/** A script comes by standard input, so that whatever shell the account has reads one line with words in quotes. */
export function scriptCommand(args: readonly string[]): string {
  return ['sh', '-s', '--', ...args.map(shellWord)].join(' ');
}

function noSsh(cause: Error): FirstscreenError {
  return new FirstscreenError('E_SSH', `ssh can not be started (${reasonOf(cause)}).`, 'Install OpenSSH (sudo apt install openssh-client), or set the relay up by hand (docs/relay.md).', { cause });
}
