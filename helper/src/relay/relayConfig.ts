import { X509Certificate, createPrivateKey } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { parseAuthority } from '../../../shared/src/names/authority.ts';
import { FINGERPRINT } from '../../../shared/src/relay/wire.ts';
import { PRIVATE_FILE_MODE, readIfPresent } from '../files.ts';
import { reasonOf } from '../../../shared/src/node/reasonOf.ts';
import { ownDirectory, type Account } from '../userDirectories.ts';

/** Of the file, not of the protocol. */
const FILE_VERSION = 1;
const MAX_PEM_CHARACTERS = 16 * 1024;

/** As in a URL, in lower case. */
export const HOST = /^(?=.{1,253}$)[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63})*$/;
const MAX_TERMINATED = 1_000;

const pem = v.pipe(v.string(), v.maxLength(MAX_PEM_CHARACTERS));
const RelayConfigSchema = v.strictObject({
  version: v.literal(FILE_VERSION),
  /** Name or address, an IPv6 address in brackets. */
  host: v.pipe(v.string(), v.check((host) => parseAuthority(`${host}:1`)?.host === host)),
  port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  /** Of the relay's key. */
  relayFingerprint: v.pipe(v.string(), v.regex(FINGERPRINT)),
  /** Who this helper is to the relay. */
  certificatePem: pem,
  keyPem: pem,
  /** Hosts, with everything under them, whose requests it makes itself, so that it sees what is in them; or all. */
  terminate: v.optional(v.union([v.literal('all'), v.pipe(v.array(v.pipe(v.string(), v.regex(HOST))), v.maxLength(MAX_TERMINATED))]), []),
});

/** The relay of one user, and who this helper is to it. */
export type RelayConfig = v.InferOutput<typeof RelayConfigSchema>;

export function relayConfigPath(account: Account): string {
  return join(ownDirectory('CONFIG', account), 'relay.json');
}

/** A file's text as `relay add` writes it. */
export function relayConfigOf(relay: Omit<RelayConfig, 'version' | 'terminate'> & Partial<Pick<RelayConfig, 'terminate'>>): RelayConfig {
  return { version: FILE_VERSION, terminate: [], ...relay };
}

/**
 * The relay that the user has added; null without one.
 *
 * @throws FirstscreenError E_RELAY_CONFIG for a file that others could have read or changed, or that is none of `relay add`
 */
export function readRelayConfig(account: Account): RelayConfig | null {
  const path = relayConfigPath(account);
  const text = readPrivate(path);
  if (text === null) return null;
  const config = parsed(text);
  if (config === null) throw refused(path, 'it is not as "relay add" writes it');
  if (!isPair(config)) throw refused(path, 'its key does not fit its certificate');
  return config;
}

function readPrivate(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isFile()) throw refused(path, 'it is no plain file');
  if (stats.uid !== process.getuid?.()) throw refused(path, 'it belongs to somebody else');
  if ((stats.mode & 0o777 & ~PRIVATE_FILE_MODE) !== 0) throw refused(path, 'others may have had access to its key');
  try {
    return readIfPresent(path);
  } catch (cause) {
    throw refused(path, `it can not be read (${reasonOf(cause)})`, cause);
  }
}

function parsed(text: string): RelayConfig | null {
  try {
    return v.parse(RelayConfigSchema, JSON.parse(text));
  } catch {
    // not with its cause: a parser's words may hold what it has read
    return null;
  }
}

function isPair({ certificatePem, keyPem }: RelayConfig): boolean {
  try {
    return new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(keyPem));
  } catch {
    return false;
  }
}

function refused(path: string, why: string, cause?: unknown): FirstscreenError {
  return new FirstscreenError('E_RELAY_CONFIG', `The relay of ${path} is not used: ${why}.`, 'Run "firstscreen-helper relay remove", then "firstscreen-helper relay add" again.', { cause });
}
