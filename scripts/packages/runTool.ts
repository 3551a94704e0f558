import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { PackagingError } from './packagingError.ts';

const SHOWN_LINES = 20;
const OUTPUT_LIMIT_BYTES = 16 * 1024 * 1024;

export interface ToolOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What to do when it can not be started, or fails. */
  readonly next: string;
}

/** Runs a command to its end. @returns what it printed. @throws PackagingError E_PACKAGE_TOOL with the end of what it said */
export function runTool(command: string, args: readonly string[], { cwd, env = {}, next }: ToolOptions): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8', maxBuffer: OUTPUT_LIMIT_BYTES });
  if (error === undefined && status === 0) return stdout;
  const said = `${stdout}${stderr}`.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
  throw new PackagingError('E_PACKAGE_TOOL', `Making packages failed at "${command} ${args.join(' ')}" (${error?.message ?? `status ${status}`}).${said === '' ? '' : `\n${said}`}`, next, { cause: error });
}
