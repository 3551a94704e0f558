import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { runCommand, type CommandOptions } from './run-command.ts';

const LIMIT_MS = 30_000;

function options(more: Partial<CommandOptions> = {}): CommandOptions {
  return { cwd: tmpdir(), limitMs: LIMIT_MS, signal: new AbortController().signal, ...more };
}

function isGone(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

describe('running a command', () => {
  it('keeps stdout apart from all output and gives the exit code', async () => {
    const result = await runCommand('sh', ['-c', 'echo out; echo err >&2; exit 3'], options());
    expect(result).toMatchObject({ exitCode: 3, stdout: 'out\n' });
    expect(result.output).toContain('err');
  });

  it('gives a result for a command that can not be started', async () => {
    const result = await runCommand('firstscreen-no-such-command', [], options());
    expect(result.exitCode).toBeNull();
    expect(result.output).toContain('ENOENT');
  });

  it('lets a command give way', async () => {
    expect((await runCommand('nice', [], options({ givesWay: true }))).stdout).toBe('19\n');
  });

  it('ends the command and what it started when time is up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const directory = temporaryDirectory();
    const said = (): string => readFileSync(join(directory, 'pid'), { encoding: 'utf8', flag: 'a+' });
    const running = runCommand('sh', ['-c', 'sleep 60 & echo $! >pid; wait'], options({ cwd: directory }));
    await expect.poll(said).toMatch(/\n$/);
    vi.advanceTimersByTime(LIMIT_MS);
    expect((await running).brokenOff).toBe('not done after 30 s');
    vi.useRealTimers();
    await expect.poll(() => isGone(Number(said()))).toBe(true);
  });

  it('ends the command when interrupted', async () => {
    const interrupt = new AbortController();
    const running = runCommand('sleep', ['60'], options({ signal: interrupt.signal }));
    interrupt.abort();
    expect((await running).brokenOff).toBe('interrupted');
  });

  it('ends what a command leaves running behind it', async () => {
    const result = await runCommand('sh', ['-c', 'sleep 60 >/dev/null 2>&1 & echo $!'], options());
    expect(result.exitCode).toBe(0);
    await expect.poll(() => isGone(Number(result.stdout))).toBe(true);
  });
});
