import { X509Certificate } from 'node:crypto';
import { dirname } from 'node:path';
import { FirstscreenError, codeOf } from '../../../shared/src/errors.ts';
import { authorityOf } from '../../../shared/src/names/authority.ts';
import { fingerprintOf } from '../../../shared/src/node/relay/fingerprint.ts';
import { RELAY_VERSION } from '../../../shared/src/relay/wire.ts';
import { PRIVATE_DIRECTORY_MODE, PRIVATE_FILE_MODE, jsonText, missingDirectories, tracesOf } from '../files.ts';
import { readRelayConfig, relayConfigOf, relayConfigPath, type RelayConfig } from '../relay/relayConfig.ts';
import { probeRelay } from '../relay/relayProbe.ts';
import type { Account } from '../userDirectories.ts';
import { pass, warn, type Check } from '../../../shared/src/check.ts';
import type { Machine } from './machine.ts';
import type { RelayOrder, TerminateOrder } from './options.ts';
import { refuseForAnother } from './ownHome.ts';
import { describeOwnKey, describeRelayFault } from './relayFault.ts';
import { makeDirectory, remove, write, writeUnlessSame, type Plan } from './steps.ts';

const NAME = 'relay';
/** Of a client of the relay's. */
const MAX_NAME_CHARACTERS = 64;
export const AT_NEXT_START = 'The helpers of browsers that run take it over when their browsers are started anew.';

export interface RelayReport {
  /** HOST:PORT. */
  readonly relay: string;
  /** Of this helper's key. */
  readonly fingerprint: string;
  /** To be run on the relay. */
  readonly allow: string;
}

/**
 * Writes the relay's address and fingerprint, with a key by which it knows this helper. A relay that is known keeps its key, so that it need not be told
 * again when it has moved.
 *
 * @param host of this machine, for the relay's list
 */
export async function planRelayAdd(order: RelayOrder & { readonly action: 'add' }, machine: Machine, host: string, now: Date): Promise<Plan<RelayReport>> {
  refuseForAnother(machine, 'E_RELAY_CONFIG', 'A relay');
  const path = relayConfigPath(machine);
  const known = usable(machine);
  const isKnown = known?.relayFingerprint === order.fingerprint;
  const { certificatePem, keyPem } = isKnown ? known : await newIdentity(now);
  const config = relayConfigOf({ host: order.host, port: order.port, relayFingerprint: order.fingerprint, certificatePem, keyPem, ...(isKnown && { terminate: known.terminate }) });
  const file = { path, content: jsonText(config), mode: PRIVATE_FILE_MODE };
  const allow = allowLine(config, host);
  const then = [`This helper's fingerprint is ${ownFingerprint(config)}. On the relay, run (DIR is where its files are):`, `    ${allow}`, 'Then see "firstscreen-helper relay status".'];
  return {
    steps: known === null ? [...missingDirectories(dirname(path)).map((directory) => makeDirectory(directory, PRIVATE_DIRECTORY_MODE)), write(file)] : writeUnlessSame(file),
    nothing: ['That relay is added already.', ...then].join('\n'),
    done: ['Added.', ...then, AT_NEXT_START].join('\n'),
    // what the helper would refuse is told now
    verify: () => readRelayConfig(machine),
    report: { relay: authorityOf(order), fingerprint: ownFingerprint(config), allow },
  };
}

export function planRelayRemove(machine: Machine): Plan {
  return {
    steps: tracesOf(relayConfigPath(machine)).map(remove),
    nothing: 'There is no relay.',
    done: `Removed. ${AT_NEXT_START}`,
    report: {},
  };
}

/**
 * Has the relay make the requests of a host, or no longer.
 *
 * @throws FirstscreenError E_RELAY_CONFIG without a relay, E_OPTION for what can not be done
 */
export function planRelayTerminate({ change, host }: TerminateOrder & { readonly change: 'add' | 'remove' }, machine: Machine): Plan {
  const config = requiredConfig(machine);
  const terminate = change === 'add' ? withHost(config.terminate, host) : withoutHost(config.terminate, host);
  const file = { path: relayConfigPath(machine), content: jsonText(relayConfigOf({ ...config, terminate })), mode: PRIVATE_FILE_MODE };
  const whose = host ?? 'all hosts';
  const meaning = `The relay will see what is asked of ${whose}, and what is answered, as the helper does. What is left alone by the helper is left alone by the relay.`;
  return {
    steps: writeUnlessSame(file),
    nothing: change === 'add' ? `The relay makes the requests of ${whose} already.` : `The relay makes no requests of ${whose}.`,
    done: change === 'add' ? `Done. ${meaning} ${AT_NEXT_START}` : `Done. ${AT_NEXT_START}`,
    verify: () => readRelayConfig(machine),
    report: { terminate },
  };
}

/** Hosts whose requests the relay makes, as the user has named them. @throws FirstscreenError E_RELAY_CONFIG */
export function terminatedHosts(machine: Machine): readonly string[] {
  const { terminate } = requiredConfig(machine);
  return terminate === 'all' ? ['all'] : terminate;
}

function withHost(terminate: RelayConfig['terminate'], host: string | null): RelayConfig['terminate'] {
  if (host === null || terminate === 'all') return 'all';
  return [...new Set([...terminate, host])].sort();
}

function withoutHost(terminate: RelayConfig['terminate'], host: string | null): RelayConfig['terminate'] {
  if (host === null) return [];
  if (terminate === 'all') throw new FirstscreenError('E_OPTION', 'The relay makes the requests of all hosts, of which none can be left out.', 'Run "firstscreen-helper relay terminate remove all", then add hosts.');
  return terminate.filter((each) => each !== host);
}

function requiredConfig(machine: Machine): RelayConfig {
  const config = readRelayConfig(machine);
  if (config === null) throw new FirstscreenError('E_RELAY_CONFIG', 'There is no relay.', 'Add one with "firstscreen-helper relay add".');
  return config;
}

/** Whether the relay answers, as the helper of a browser would find it; nothing without one. */
export async function checkRelay(machine: Account, host: string): Promise<Check[]> {
  let config: RelayConfig | null;
  try {
    config = readRelayConfig(machine);
  } catch (error) {
    return [failed(error)];
  }
  if (config === null) return [];
  const ownKey = describeOwnKey(config, new Date());
  const checks = ownKey === null ? [] : [warn(NAME, ownKey.detail, ownKey.next)];
  try {
    const { rttMs, mayGain } = await probeRelay(config);
    const where = mayGain ? '' : '; it is in this network, where it can gain nothing: connections are direct';
    return [...checks, pass(NAME, `${authorityOf(config)} answers in ${rttMs.toFixed(1)} ms, protocol ${RELAY_VERSION}${where}`)];
  } catch (error) {
    const { detail, next } = describeRelayFault(error, config);
    const code = codeOf(error);
    return [...checks, warn(NAME, `${code}: ${detail}`, code === 'E_RELAY_REFUSED' ? `On the relay, run: ${allowLine(config, host)}` : next)];
  }
}

/** For `relay status`, which was asked. */
export function noRelay(): Check {
  return pass(NAME, 'none: connections are direct');
}

/** An address that is refused, or that nobody could read, is written anew. */
function usable(machine: Machine): RelayConfig | null {
  try {
    return readRelayConfig(machine);
  } catch {
    return null;
  }
}

async function newIdentity(now: Date): Promise<Pick<RelayConfig, 'certificatePem' | 'keyPem'>> {
  // what makes certificates takes 100 ms of processor to load
  const { createIdentity } = await import(/* webpackMode: "eager" */ '../../../shared/src/relay/identity.ts');
  for (;;) {
    const identity = await createIdentity('Firstscreen helper', now);
    // one that begins as an option does would have to be quoted
    if (!identity.fingerprint.startsWith('-')) return identity;
  }
}

/** Of this helper's key. */
function ownFingerprint({ certificatePem }: Pick<RelayConfig, 'certificatePem'>): string {
  return fingerprintOf(new X509Certificate(certificatePem));
}

/** @param host for the relay's list */
function allowLine(config: RelayConfig, host: string): string {
  return `firstscreen-relay allow --directory DIR ${relayClientName(host)} ${ownFingerprint(config)}`;
}

/** What the relay calls this helper: as it and a shell take it in one word. @param host of this machine */
export function relayClientName(host: string): string {
  return host.replace(/[^\w.-]/g, '_').replace(/^\W/, '_').slice(0, MAX_NAME_CHARACTERS);
}

/** Pages go directly then. */
function failed(error: unknown): Check {
  if (!(error instanceof FirstscreenError)) throw error;
  return warn(NAME, `${error.code}: ${error.message}`, error.next);
}
