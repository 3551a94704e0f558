import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { createIdentity, type Identity } from '../../shared/src/relay/identity.ts';
import { BENCH_RELAY } from '../browsers/executables.ts';

const OWNER_ONLY = 0o600;
const FINGERPRINT = /(?<![\w-])[\w-]{43}(?![\w-])/;

/** What a helper needs of a relay that knows it. */
export interface Pairing {
  readonly helper: Identity;
  readonly relayFingerprint: string;
}

/** Where a helper finds its relay, and whether that makes the requests of all hosts. */
export interface RelayPlace {
  readonly host: string;
  readonly port: number;
  readonly terminates: boolean;
}

/** Makes a relay's directory, and a helper that it lets in, as `init` and `allow` do. @param listen HOST:PORT */
export async function makePairing(directory: string, listen: string): Promise<Pairing> {
  const said = execFileSync(process.execPath, [BENCH_RELAY, 'init', '--directory', directory, '--listen', listen], { encoding: 'utf8' });
  const helper = await createIdentity('helper', new Date());
  letIn(directory, [helper]);
  return { helper, relayFingerprint: FINGERPRINT.exec(said)?.[0] ?? '' };
}

/** Has a relay let in helpers, as `allow` does, and nobody else. @param directory its own */
export function letIn(directory: string, helpers: readonly Identity[]): void {
  const file = path.join(directory, 'relay.json');
  const settings = v.parse(v.looseObject({}), JSON.parse(readFileSync(file, 'utf8')));
  const clients = helpers.map(({ fingerprint }, n) => ({ name: `helper-${n}`, fingerprint }));
  writeFileSync(file, JSON.stringify({ ...settings, clients }), { mode: OWNER_ONLY });
}

/** Gives a helper the relay, as `relay add` and `relay terminate add all` do. @param configHome its XDG_CONFIG_HOME */
export function addRelay(configHome: string, { helper: { certificatePem, keyPem }, relayFingerprint }: Pairing, { host, port, terminates }: RelayPlace): void {
  const directory = path.join(configHome, 'firstscreen');
  mkdirSync(directory, { recursive: true });
  const config = { version: 1, host, port, relayFingerprint, certificatePem, keyPem, terminate: terminates ? 'all' : [] };
  writeFileSync(path.join(directory, 'relay.json'), JSON.stringify(config), { mode: OWNER_ONLY });
}
