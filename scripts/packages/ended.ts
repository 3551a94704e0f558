import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export const run = promisify(execFile);

/** How a command ended. */
export interface Ended {
  readonly status: number;
  readonly output: string;
}

/** Runs a command, which may fail. @throws when it can not be started, or is killed */
export async function endOf(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended> {
  try {
    const { stdout, stderr } = await run(command, args, env === undefined ? {} : { env });
    return { status: 0, output: `${stdout}${stderr}` };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: number | string; stdout?: string; stderr?: string };
    if (typeof code !== 'number') throw error;
    return { status: code, output: `${stdout ?? ''}${stderr ?? ''}` };
  }
}
