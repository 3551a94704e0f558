import { X509Certificate } from 'node:crypto';
import { hostname } from 'node:os';
import { checksText } from '../../../shared/src/check.ts';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { parseAuthority } from '../../../shared/src/names/authority.ts';
import { fingerprintOf } from '../../../shared/src/node/relay/fingerprint.ts';
import { createIdentity } from '../../../shared/src/relay/identity.ts';
import { relayLinkText } from '../../../shared/src/relay/relayLink.ts';
import { gatherFacts } from '../doctor/facts.ts';
import { judge } from '../doctor/judge.ts';
import { RelayDirectory } from '../settings/relayDirectory.ts';
import { dayOf, readProxyCertificate } from '../proxy/proxyCertificate.ts';
import { withPlace, withUser, withoutUser, type ProxySettings } from '../proxy/proxySettings.ts';
import { newSettings, withClient, withoutClient } from '../settings/relaySettings.ts';
import { RELAY_RELEASE } from '../version.ts';
import { HELP, parseOptions, type Options } from './options.ts';
import { serve } from './serve.ts';
import type { Surroundings } from './surroundings.ts';

const STATUS_OK = 0;
const STATUS_FAILED = 1;
/** As shells and getopt programs use it. */
const STATUS_USAGE = 2;

/** Runs one command. @returns the status to end the process with: 0, 1 when the command failed, 2 when it was written wrongly */
export async function runCli(args: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    const options = parseOptions(args);
    if (options.command === 'doctor') return await doctor(new RelayDirectory(options.directory), surroundings);
    const text = await run(options, surroundings);
    if (text !== null) surroundings.print(text);
    return STATUS_OK;
  } catch (error) {
    if (!(error instanceof FirstscreenError)) throw error;
    surroundings.printError(`firstscreen-relay: ${error.message} ${error.next} (${error.code})`);
    return error.code === 'E_OPTION' ? STATUS_USAGE : STATUS_FAILED;
  }
}

/** @returns what the command says in the end; null for nothing more */
async function run(options: Exclude<Options, { readonly command: 'doctor' }>, surroundings: Surroundings): Promise<string | null> {
  if (options.command === 'help') return HELP.trimEnd();
  if (options.command === 'version') return RELAY_RELEASE;
  const directory = new RelayDirectory(options.directory);
  switch (options.command) {
    case 'init': {
      const settings = newSettings(options.listen);
      const identity = await createIdentity(`Firstscreen relay on ${hostname()}`, new Date());
      directory.create(identity, settings);
      return identity.fingerprint;
    }
    case 'allow':
      directory.write(withClient(directory.settings(), options.name, options.fingerprint));
      return `${options.name} is let in.`;
    case 'revoke':
      directory.write(withoutClient(directory.settings(), options.name));
      return `${options.name} is let in no more.`;
    case 'proxy': {
      const settings = withPlace(directory.proxySettings(), options.place);
      const { to } = readProxyCertificate(settings, new Date());
      directory.writeProxy(settings);
      return `It is a proxy of browsers at ${settings.address}, with a certificate until ${dayOf(to)}. Let one in: firstscreen-relay proxy-allow NAME.`;
    }
    case 'proxy-allow': {
      const { settings, token } = withUser(proxyOf(directory), options.name);
      directory.writeProxy(settings);
      const place = parseAuthority(settings.address) ?? { host: '', port: 0 };
      return relayLinkText({ user: options.name, token, ...place });
    }
    case 'proxy-revoke':
      directory.writeProxy(withoutUser(proxyOf(directory), options.name));
      return `${options.name} is let in no more.`;
    case 'proxy-off':
      directory.writeProxy(null);
      return 'It is no proxy of browsers.';
    case 'fingerprint':
      return ownFingerprint(directory);
    case 'status': {
      const { listen, clients } = directory.settings();
      const names = clients.map(({ name, fingerprint }) => `  ${name} ${fingerprint}`);
      return [`listens on ${listen}`, `fingerprint ${ownFingerprint(directory)}`, names.length === 0 ? 'lets nobody in' : 'lets in', ...names, ...proxyLines(directory)].join('\n');
    }
    case 'serve':
      await serve(directory, surroundings);
      return null;
  }
}

/** @returns the status to end with: as after a failure where one was found */
async function doctor(directory: RelayDirectory, { print, coder }: Surroundings): Promise<number> {
  const checks = judge(await gatherFacts(directory, coder, new Date()));
  print(checksText(checks).join('\n'));
  return checks.some(({ verdict }) => verdict === 'fail') ? STATUS_FAILED : STATUS_OK;
}

/** @throws FirstscreenError E_RELAY_SETTINGS */
function proxyOf(directory: RelayDirectory): ProxySettings {
  const settings = directory.proxySettings();
  if (settings !== null) return settings;
  throw new FirstscreenError('E_RELAY_SETTINGS', 'This relay is no proxy of browsers.', 'Run "firstscreen-relay proxy" first.');
}

function proxyLines(directory: RelayDirectory): string[] {
  const settings = directory.proxySettings();
  return settings === null ? [] : [`is a proxy of browsers at ${settings.address}`, ...settings.users.map(({ name }) => `  ${name}`)];
}

function ownFingerprint(directory: RelayDirectory): string {
  const pem = directory.certificate();
  try {
    return fingerprintOf(new X509Certificate(pem));
  } catch (cause) {
    throw new FirstscreenError('E_RELAY_SETTINGS', 'certificate.pem is no certificate.', 'Make another directory with "firstscreen-relay init".', { cause });
  }
}
