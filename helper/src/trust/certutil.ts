import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { isExecutable } from '../files.ts';
import { programDirectories } from '../userDirectories.ts';
import { AUTHORITY_NAME_PREFIX } from './authority.ts';
import { STORE_FILES } from './nssStores.ts';

/** Trusted to vouch for servers, not for mail or programs (certutil(1), -t). */
const TRUST_FLAGS = 'C,,';
/** A store that another program has locked is not waited for longer. */
const LIMIT_MS = 10_000;

/** `trusted`: it vouches for servers there. `outdated`: one of ours, but another, or without trust. `unreadable`: certutil could not tell. */
export type StoreState = 'trusted' | 'outdated' | 'absent' | 'unreadable';

/** @returns the full path of certutil, null when it is not in PATH */
export function findCertutil(env: Readonly<Record<string, string | undefined>>): string | null {
  return programDirectories(env).map((directory) => join(directory, 'certutil')).find(isExecutable) ?? null;
}

/** The same. @throws FirstscreenError E_CERTUTIL */
export function requireCertutil(env: Readonly<Record<string, string | undefined>>): string {
  const certutil = findCertutil(env);
  if (certutil !== null) return certutil;
  throw new FirstscreenError('E_CERTUTIL', "The browsers' certificate stores can not be changed: the program certutil is not in PATH.", 'Run: sudo apt-get install libnss3-tools (Fedora: nss-tools, Arch: nss), then the same command again.');
}

/** What NSS's own tool does with one store. Each call is a process of some 10 ms. */
export class StoreEditor {
  private readonly certutil: string;
  private readonly directory: string;

  constructor(certutil: string, directory: string) {
    this.certutil = certutil;
    this.directory = directory;
  }

  /** Makes an empty store without a password, as Chromium does. The directory has to be there. */
  create(): void {
    this.run('make', ['-N', '--empty-password']);
  }

  /** What is there of ours. @param certificate the authority's of today; null when there is none */
  stateOf(certificate: X509Certificate | null): StoreState {
    try {
      const ours = this.listOurs();
      if (ours.length === 0) return 'absent';
      const trusted = ours.length === 1 && ours.every(({ flags }) => flags.split(',')[0]?.includes('C') === true);
      return trusted && certificate !== null && this.certificatesNamed(ours[0]?.nickname ?? '').every((found) => found.raw.equals(certificate.raw)) ? 'trusted' : 'outdated';
    } catch (error) {
      if (error instanceof FirstscreenError) return 'unreadable';
      throw error;
    }
  }

  /** Lets the browser trust this certificate. @param file PEM */
  add(nickname: string, file: string): void {
    try {
      this.run('add a certificate to', ['-A', '-n', nickname, '-t', TRUST_FLAGS, '-a', '-i', file]);
    } catch (error) {
      // a store with a password takes the certificate and refuses the trust: a half that nobody wants
      this.removeOurs();
      throw error;
    }
  }

  /** Takes out every certificate whose name begins as ours do, also of earlier times and other host names. */
  removeOurs(): void {
    // one call removes one certificate, and several may have one nickname
    for (const { nickname } of this.listOurs()) this.run('remove a certificate from', ['-D', '-n', nickname]);
  }

  /** Removes the store's files when nobody has put anything into it: no certificate, no key, no module. */
  removeIfEmpty(): void {
    const isEmpty = this.list().length === 0 && this.hasNoKeys() && modulesIn(join(this.directory, STORE_FILES[2])) === 1;
    if (isEmpty) for (const name of STORE_FILES) rmSync(join(this.directory, name), { force: true });
  }

  private hasNoKeys(): boolean {
    try {
      this.run('list the keys of', ['-K']);
      return false;
    } catch (error) {
      return error instanceof FirstscreenError && error.message.includes('no keys found');
    }
  }

  private listOurs(): Listed[] {
    return this.list().filter(({ nickname }) => nickname.startsWith(AUTHORITY_NAME_PREFIX));
  }

  private list(): Listed[] {
    return parseList(this.run('read', ['-L']));
  }

  private certificatesNamed(nickname: string): X509Certificate[] {
    const pems = this.run('read', ['-L', '-n', nickname, '-a']).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    return pems.map((pem) => new X509Certificate(pem));
  }

  private run(attempt: string, args: readonly string[]): string {
    // the empty password file keeps certutil from asking the terminal
    const password = args[0] === '-N' ? [] : ['-f', '/dev/null'];
    try {
      return execFileSync(this.certutil, [...args, '-d', `sql:${this.directory}`, ...password], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS });
    } catch (cause) {
      const reason = lastWordsOf(cause);
      throw new FirstscreenError('E_TRUST_STORE', `Could not ${attempt} the certificate store ${this.directory}: ${reason}.`, remedyFor(reason), { cause });
    }
  }
}

/** What certutil said last: of errors on standard error, of keys (-K) on standard output. */
function lastWordsOf(cause: unknown): string {
  const { stderr = '', stdout = '' } = cause instanceof Error ? (cause as Partial<Record<'stderr' | 'stdout', string>>) : {};
  const words = (stderr.trim() === '' ? stdout : stderr).trim().split('\n').at(-1) ?? '';
  return words === '' ? 'certutil did not end well' : words.replace(/^certutil: /, '').replace(/\.$/, '');
}

function remedyFor(reason: string): string {
  if (reason.includes('BAD_PASSWORD')) return 'It has a primary password: take that off in the settings of the browser, run the same command again, and set it anew.';
  return 'Close the browser and run the same command again; remove the store if no browser uses it any more.';
}

interface Listed {
  readonly nickname: string;
  /** For servers, mail and programs. */
  readonly flags: string;
}

/** The lines of `certutil -L`: a nickname, which may hold blanks and commas, and three sets of letters. The lines of its head are of another form (`S/MIME`). */
export function parseList(text: string): Listed[] {
  return [...text.matchAll(/^(.*\S)\s+([A-Za-z]*,[A-Za-z]*,[A-Za-z]*)\s*$/gm)].map(([, nickname = '', flags = '']) => ({ nickname, flags }));
}

/** The modules that a store loads: the first is NSS itself. */
function modulesIn(pkcs11: string): number {
  return (readFileSync(pkcs11, 'utf8').match(/^library=/gm) ?? []).length;
}
