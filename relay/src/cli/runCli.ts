import { X509Certificate } from 'node:crypto';
import { hostname } from 'node:os';
import { checksText } from '../../../shared/src/check.ts';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import type { IsPublic } from '../../../shared/src/names/addressPolicy.ts';
import { createIdentity, fingerprintOf } from '../../../shared/src/relay/identity.ts';
import { gatherFacts } from '../doctor/facts.ts';
import { judge } from '../doctor/judge.ts';
import { RelayDirectory } from '../settings/relayDirectory.ts';
import { newSettings, withClient, withoutClient } from '../settings/relaySettings.ts';
import { RELAY_RELEASE } from '../version.ts';
import { HELP, parseOptions, type Options } from './options.ts';
import { serve } from './serve.ts';

/** The process around the command line. */
export interface Surroundings {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  readonly log: LogSink;
  /** The process is asked to end. */
  readonly ended: AbortSignal;
  /** Where the relay may connect to. */
  readonly isPublic: IsPublic;
  /** Absent: no socket is given to this process. */
  readonly env?: NodeJS.ProcessEnv;
}

const STATUS_OK = 0;
const STATUS_FAILED = 1;
/** As shells and getopt programs use it. */
const STATUS_USAGE = 2;

/** Runs one command. @returns the status to end the process with: 0, 1 when the command failed, 2 when it was written wrongly */
export async function runCli(args: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    const options = parseOptions(args);
    if (options.command === 'doctor') return await doctor(new RelayDirectory(options.directory), surroundings);
    await run(options, surroundings);
    return STATUS_OK;
  } catch (error) {
    if (!(error instanceof FirstscreenError)) throw error;
    surroundings.printError(`firstscreen-relay: ${error.message} ${error.next} (${error.code})`);
    return error.code === 'E_OPTION' ? STATUS_USAGE : STATUS_FAILED;
  }
}

async function run(options: Exclude<Options, { readonly command: 'doctor' }>, surroundings: Surroundings): Promise<void> {
  const { print } = surroundings;
  if (options.command === 'help') return print(HELP.trimEnd());
  if (options.command === 'version') return print(RELAY_RELEASE);
  const directory = new RelayDirectory(options.directory);
  switch (options.command) {
    case 'init': {
      const settings = newSettings(options.listen);
      const identity = await createIdentity(`Firstscreen relay on ${hostname()}`, new Date());
      directory.create(identity, settings);
      return print(identity.fingerprint);
    }
    case 'allow':
      directory.write(withClient(directory.settings(), options.name, options.fingerprint));
      return print(`${options.name} is let in.`);
    case 'revoke':
      directory.write(withoutClient(directory.settings(), options.name));
      return print(`${options.name} is let in no more.`);
    case 'fingerprint':
      return print(await ownFingerprint(directory));
    case 'status': {
      const { listen, clients } = directory.settings();
      const names = clients.map(({ name, fingerprint }) => `  ${name} ${fingerprint}`);
      return print([`listens on ${listen}`, `fingerprint ${await ownFingerprint(directory)}`, names.length === 0 ? 'lets nobody in' : 'lets in', ...names].join('\n'));
    }
    case 'serve':
      return serve(directory, surroundings);
  }
}

/** @returns the status to end with: as after a failure where one was found */
async function doctor(directory: RelayDirectory, { print }: Surroundings): Promise<number> {
  const checks = judge(await gatherFacts(directory, new Date()));
  print(checksText(checks).join('\n'));
  return checks.some(({ verdict }) => verdict === 'fail') ? STATUS_FAILED : STATUS_OK;
}

async function ownFingerprint(directory: RelayDirectory): Promise<string> {
  const pem = directory.certificate();
  try {
    return await fingerprintOf(new X509Certificate(pem).raw);
  } catch (cause) {
    throw new FirstscreenError('E_RELAY_SETTINGS', 'certificate.pem is no certificate.', 'Make another directory with "firstscreen-relay init".', { cause });
  }
}
