import { execFile } from 'node:child_process';
import { X509Certificate, createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { helperEnvironment } from '../../browsers/extension.ts';
import { RELAY_ADDRESS } from '../../metrics/testbed.ts';
import { BenchError } from '../errors.ts';
import { relayCommand } from './relayCommand.ts';

const PORT = 8_443;
const FINGERPRINT = /(?<![\w-])[\w-]{43}(?![\w-])/;

export interface PreparedRelay {
  /** Of those whose helper knows the relay, and whom it knows. */
  readonly homeDir: string;
  /** Starts it, in its namespace. */
  readonly command: string;
}

/** The relay of a run, and the helper's side of it, made as their users would. All of it is in one directory, and goes with the run. */
export async function prepareRelay(relayMain: string, helperMain: string, temporaryDir: string): Promise<PreparedRelay> {
  const directory = join(temporaryDir, 'relay');
  const homeDir = join(temporaryDir, 'relay-home');
  const environment = helperEnvironment(homeDir);
  const listen = `${RELAY_ADDRESS}:${PORT}`;
  const init = await run(relayMain, ['init', '--directory', directory, '--listen', listen], {});
  const [relayFingerprint = ''] = FINGERPRINT.exec(init) ?? [];
  await run(helperMain, ['relay', 'add', listen, relayFingerprint], environment);
  const file = await readFile(join(environment.XDG_CONFIG_HOME, 'firstscreen/relay.json'), 'utf8');
  const { certificatePem } = v.parse(v.object({ certificatePem: v.string() }), JSON.parse(file));
  await run(relayMain, ['allow', '--directory', directory, 'bench', fingerprintOf(certificatePem)], {});
  return { homeDir, command: relayCommand(process.execPath, relayMain, directory) };
}

/** What a user copies from one machine to the other: SHA-256 of the public key, base64url. */
function fingerprintOf(certificatePem: string): string {
  const key = new X509Certificate(certificatePem).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64url');
}

async function run(main: string, words: readonly string[], environment: Readonly<Record<string, string>>): Promise<string> {
  try {
    return (await promisify(execFile)(process.execPath, [main, ...words], { env: { ...process.env, ...environment } })).stdout;
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new BenchError('E_RELAY_START', `Preparing the relay, "${words.slice(0, 2).join(' ')}": ${said}`, 'run it by npm, which builds relay and helper', { cause: error });
  }
}
