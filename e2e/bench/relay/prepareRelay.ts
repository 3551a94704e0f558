import { execFile } from 'node:child_process';
import { X509Certificate, createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { RELAY_ADDRESS } from '../../analysis/ways.ts';
import { helperEnvironment } from '../../browsers/extension.ts';
import { BenchError } from '../errors.ts';
import type { RelayMode } from '../schemes.ts';
import { relayCommand } from './relayCommand.ts';

const LISTEN = `${RELAY_ADDRESS}:8443`;
const FINGERPRINT = /(?<![\w-])[\w-]{43}(?![\w-])/;

export interface RelayPlan {
  readonly relayMain: string;
  readonly helperMain: string;
  /** That of the run: all that is made is in it. */
  readonly temporaryDir: string;
  readonly authorityFile: string;
  readonly modes: ReadonlySet<RelayMode>;
}

export interface PreparedRelay {
  /** By mode: of those whose helper has the relay, and whom it knows. */
  readonly homes: Readonly<Partial<Record<RelayMode, string>>>;
  /** Starts it, in its namespace. */
  readonly command: string;
}

/** The relay of a run, and the helper's side of it for each mode, made as their users would. */
export async function prepareRelay({ relayMain, helperMain, temporaryDir, authorityFile, modes }: RelayPlan): Promise<PreparedRelay> {
  const directory = join(temporaryDir, 'relay');
  const [relayFingerprint = ''] = FINGERPRINT.exec(await run(relayMain, ['init', '--directory', directory, '--listen', LISTEN], {})) ?? [];
  const homes: Partial<Record<RelayMode, string>> = {};
  for (const mode of modes) {
    const homeDir = join(temporaryDir, `home-${mode}`);
    const environment = helperEnvironment(homeDir);
    await run(helperMain, ['relay', 'add', LISTEN, relayFingerprint], environment);
    if (mode === 'terminated') await run(helperMain, ['relay', 'terminate', 'add', 'all'], environment);
    const file = await readFile(join(environment.XDG_CONFIG_HOME, 'firstscreen/relay.json'), 'utf8');
    const { certificatePem } = v.parse(v.object({ certificatePem: v.string() }), JSON.parse(file));
    await run(relayMain, ['allow', '--directory', directory, mode, fingerprintOf(certificatePem)], {});
    homes[mode] = homeDir;
  }
  return { homes, command: relayCommand({ node: process.execPath, relayMain, directory, authorityFile }) };
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
    throw new BenchError('E_RELAY_START', `Preparing the relay, "${words.slice(0, 2).join(' ')}": ${said}`, 'run it by npm, which builds relay and helper; a helper that can not "relay terminate" has relay-tunnel only', { cause: error });
  }
}
