import { join } from 'node:path';
import { RELAY_ADDRESS } from '../../analysis/ways.ts';
import { BENCH_RELAY } from '../../browsers/executables.ts';
import { helperEnvironment } from '../../browsers/extension.ts';
import { addRelay, makePairing } from '../../relay/pairing.ts';
import type { RelayMode } from '../schemes.ts';
import { relayCommand } from './relayCommand.ts';

const PORT = 8443;

export interface RelayPlan {
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

/** The relay of a run, and the helper's side of it for each mode. */
export async function prepareRelay({ temporaryDir, authorityFile, modes }: RelayPlan): Promise<PreparedRelay> {
  const directory = join(temporaryDir, 'relay');
  const pairing = await makePairing(directory, `${RELAY_ADDRESS}:${PORT}`);
  const homes: Partial<Record<RelayMode, string>> = {};
  for (const mode of modes) {
    const homeDir = (homes[mode] = join(temporaryDir, `home-${mode}`));
    addRelay(helperEnvironment(homeDir).XDG_CONFIG_HOME, pairing, { host: RELAY_ADDRESS, port: PORT, terminates: mode === 'terminated' });
  }
  return { homes, command: relayCommand({ node: process.execPath, relayMain: BENCH_RELAY, directory, authorityFile }) };
}
