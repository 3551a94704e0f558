import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BenchError } from '../errors.ts';

const run = promisify(execFile);

/** The newest that Debian 12's Python runs. */
const MITMPROXY = 'mitmproxy==11.0.2';
const MOCKTTP = 'mockttp@4.6.5';

/** The proxies that ours is compared with, and where they are. */
export interface Peers {
  readonly mitmdump: string;
  /** Holds node_modules/mockttp. */
  readonly mockttpDirectory: string;
  readonly versions: Readonly<Record<string, string>>;
}

/** Installs the other proxies where they are not yet: in the user's cache, as they are no part of the project. @throws BenchError E_PEER */
export async function installPeers(): Promise<Peers> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'firstscreen-bench');
  await mkdir(cache, { recursive: true });
  const python = join(cache, MITMPROXY);
  const mockttpDirectory = join(cache, MOCKTTP);
  await installed(python, async () => {
    await run('python3', ['-m', 'venv', python]);
    await run(join(python, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', MITMPROXY]);
  });
  await installed(mockttpDirectory, async () => {
    await writeFile(join(mockttpDirectory, 'package.json'), '{"private":true}\n');
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', MOCKTTP], { cwd: mockttpDirectory });
  });
  return { mitmdump: join(python, 'bin/mitmdump'), mockttpDirectory, versions: { mitmproxy: MITMPROXY, mockttp: MOCKTTP } };
}

/** Makes a directory once. Its mark is written last, so a half-made one is made anew; it is not moved into place because a Python environment knows its own path. */
async function installed(directory: string, install: () => Promise<unknown>): Promise<void> {
  const mark = join(directory, '.installed');
  if (existsSync(mark)) return;
  process.stderr.write(`installing ${directory}\n`);
  try {
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory);
    await install();
    await writeFile(mark, '');
  } catch (error) {
    throw new BenchError('E_PEER', `Installing ${directory}: ${error instanceof Error ? error.message : String(error)}`, 'it needs python3 with venv, npm, and their package registries', { cause: error });
  }
}
