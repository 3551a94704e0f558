import { X509Certificate, createPrivateKey, type KeyObject } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { PRIVATE_DIRECTORY_MODE, PRIVATE_FILE_MODE, modeOf, readIfPresent } from '../files.ts';
import { reasonOf } from '../../../shared/src/node/reasonOf.ts';
import { ownDirectory, type Account } from '../userDirectories.ts';

/** The authority of one user on one machine, as it is kept in that user's trust directory. */
export interface Authority {
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
}

/** So long before its end an authority is replaced when `trust` is run again. */
export const RENEWAL_DAYS = 30;

/** By what the certificate is known in a browser's list, and by what `untrust` finds it in any store. */
export const AUTHORITY_NAME_PREFIX = 'Firstscreen on ';

/** Where a user's authority is kept, with nothing else in it but the record of `trust`. */
export function trustDirectory(account: Account): string {
  return join(ownDirectory('DATA', account), 'trust');
}

/** The files of an authority in its directory. */
export function authorityPaths(directory: string): { readonly certificate: string; readonly key: string } {
  return { certificate: join(directory, 'authority.pem'), key: join(directory, 'authority.key.pem') };
}

/**
 * The authority in a directory, or null when there is none.
 *
 * @throws FirstscreenError E_AUTHORITY when others could have read or changed it, when it has expired, or when its parts do not fit each other: nobody may be asked to trust what it signs
 */
export function readAuthority(directory: string, now: Date): Authority | null {
  const paths = authorityPaths(directory);
  const [certificatePem, keyPem] = [readOrRefuse(paths.certificate), readOrRefuse(paths.key)];
  if (certificatePem === null && keyPem === null) return null;
  if (certificatePem === null || keyPem === null) throw refused(directory, `${certificatePem === null ? paths.certificate : paths.key} is missing`);
  refuseOpen(directory, PRIVATE_DIRECTORY_MODE);
  for (const path of [paths.certificate, paths.key]) refuseOpen(path, PRIVATE_FILE_MODE);
  const { certificate, key } = parseAuthority(certificatePem, keyPem, directory);
  if (!certificate.ca || !certificate.subject.includes(AUTHORITY_NAME_PREFIX)) throw refused(directory, `${paths.certificate} is no authority of Firstscreen`);
  if (!certificate.checkPrivateKey(key)) throw refused(directory, 'the key does not fit the certificate');
  if (now >= certificate.validToDate) throw refused(directory, `it expired on ${certificate.validToDate.toISOString().slice(0, 10)}`);
  if (now < certificate.validFromDate) throw refused(directory, `it is not valid before ${certificate.validFromDate.toISOString().slice(0, 10)}; is the clock right?`);
  return { certificate, key };
}

function parseAuthority(certificatePem: string, keyPem: string, directory: string): Authority {
  try {
    return { certificate: new X509Certificate(certificatePem), key: createPrivateKey(keyPem) };
  } catch {
    // not with its cause: a parser's words may hold what it has read
    throw refused(directory, 'its files can not be read as a certificate and a key');
  }
}

function readOrRefuse(path: string): string | null {
  try {
    return readIfPresent(path);
  } catch (error) {
    throw refused(path, reasonOf(error));
  }
}

function refuseOpen(path: string, widest: number): void {
  const mode = modeOf(path) ?? 0;
  if ((mode & ~widest) !== 0) throw refused(path, `others may have had access (mode ${mode.toString(8)}, at most ${widest.toString(8)} is right)`);
  if (lstatSync(path).uid !== process.getuid?.()) throw refused(path, 'it belongs to another user');
}

function refused(path: string, reason: string): FirstscreenError {
  return new FirstscreenError('E_AUTHORITY', `The certificate authority in ${path} is not used: ${reason}.`, 'Run "firstscreen-helper trust", which makes a new one.');
}
