import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { bareHost, parseAuthority } from '../../../shared/src/names/authority.ts';
import { reasonOf } from '../../../shared/src/node/reasonOf.ts';
import type { ProxyPlace } from './proxySettings.ts';

/** Of everybody; certificates' keys are often of a group of their own. */
const BITS_OF_EVERYBODY = 0o007;

/** A certificate as it is on disk now, with its chain and its key, PEM. */
export interface ProxyCertificate {
  readonly cert: string;
  readonly key: string;
  readonly to: Date;
}

/**
 * Reads and judges what browsers are going to judge, but for its authority: a relay knows none.
 *
 * @throws FirstscreenError E_RELAY_CERTIFICATE, which says what is wrong
 */
export function readProxyCertificate({ address, certificate, key }: ProxyPlace, now: Date): ProxyCertificate {
  const host = bareHost(parseAuthority(address)?.host ?? '');
  const read = { cert: textOf('certificate', certificate), key: textOf('key', key) };
  if ((statSync(key).mode & BITS_OF_EVERYBODY) !== 0) throw wrong('everybody may read its key', 'Make it its owner\'s alone (chmod 600), and have the certificate renewed if somebody has read it.');
  const first = parsed(() => new X509Certificate(read.cert), 'its file is no certificate');
  const isPair = parsed(() => first.checkPrivateKey(createPrivateKey(read.key)), 'its key\'s file is no key');
  if (!isPair) throw wrong('the key is that of another one', 'Name the files of one certificate.');
  if (now > first.validToDate) throw wrong(`it has ended on ${dayOf(first.validToDate)}`, 'Renew it.');
  if (now < first.validFromDate) throw wrong(`it begins on ${dayOf(first.validFromDate)}`, 'See whether this machine\'s clock is right.');
  if ((/^[\d.]+$|:/.test(host) ? first.checkIP(host) : first.checkHost(host)) === undefined) throw wrong('it is not of the host of --address', 'Name the certificate of the name by which browsers find the relay.');
  return { ...read, to: first.validToDate };
}

function textOf(what: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw wrong(`its ${what} can not be read (${reasonOf(cause)})`, 'Name files that the account of the relay may read.', cause);
  }
}

function parsed<T>(parse: () => T, what: string): T {
  try {
    return parse();
  } catch (cause) {
    throw wrong(what, 'Name PEM files: the certificate with its chain (as in fullchain.pem), and its key.', cause);
  }
}

function wrong(what: string, next: string, cause?: unknown): FirstscreenError {
  return new FirstscreenError('E_RELAY_CERTIFICATE', `The proxy's certificate can not be used: ${what}.`, next, { cause });
}

/** As people read it. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
