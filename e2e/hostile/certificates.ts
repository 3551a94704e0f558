import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { HOST_KINDS } from './place.ts';

const DAYS = '30';
/** Of the file with the client's certificate; nothing secret. */
export const CLIENT_PASSWORD = 'client';

/** What the servers of the bed show, what their clients trust, and what a client may show. */
export interface Certificates {
  readonly authorityFile: string;
  readonly authority: string;
  readonly server: { readonly key: string; readonly cert: string };
  /** PKCS #12, with CLIENT_PASSWORD. */
  readonly clientFile: string;
}

/** Makes an authority of the bed's own, and what it signs. */
export function makeCertificates(dir: string): Certificates {
  const file = (name: string): string => path.join(dir, name);
  openssl('req', '-x509', ...newKey(file('authority.key')), '-subj', '/CN=Hostile bed', '-days', DAYS, '-out', file('authority.pem'), '-addext', 'keyUsage=critical,keyCertSign,cRLSign');
  const names = ['test', ...HOST_KINDS.map((kind) => `${kind}.test`), ...HOST_KINDS.map((kind) => `*.${kind}.test`)].map((name) => `DNS:${name}`);
  sign('server', `subjectAltName=${names.join(',')}\nextendedKeyUsage=serverAuth`);
  sign('client', 'extendedKeyUsage=clientAuth');
  openssl('pkcs12', '-export', '-inkey', file('client.key'), '-in', file('client.pem'), '-name', 'client', '-passout', `pass:${CLIENT_PASSWORD}`, '-out', file('client.p12'));
  const read = (name: string): string => readFileSync(file(name), 'utf8');
  return { authorityFile: file('authority.pem'), authority: read('authority.pem'), server: { key: read('server.key'), cert: read('server.pem') }, clientFile: file('client.p12') };

  function sign(name: string, extensions: string): void {
    writeFileSync(file(`${name}.ext`), extensions);
    openssl('req', ...newKey(file(`${name}.key`)), '-subj', `/CN=${name}`, '-out', file(`${name}.csr`));
    openssl('x509', '-req', '-in', file(`${name}.csr`), '-CA', file('authority.pem'), '-CAkey', file('authority.key'), '-CAcreateserial', '-days', DAYS, '-extfile', file(`${name}.ext`), '-out', file(`${name}.pem`));
  }
}

/** Makes a database of Network Security Services, or takes the one that is there, and has it trust the authority and hold the client's certificate. */
export function fillCertificateStore(store: string, { authorityFile, clientFile }: Certificates): void {
  trustAuthority(store, 'hostile bed', authorityFile);
  execFileSync('pk12util', ['-i', clientFile, '-d', `sql:${store}`, '-W', CLIENT_PASSWORD, '-K', ''], { stdio: 'ignore' });
}

/** Has such a database trust an authority for servers. @param name by which the database keeps it */
export function trustAuthority(store: string, name: string, authorityFile: string): void {
  execFileSync('certutil', ['-A', '-d', `sql:${store}`, '-n', name, '-t', 'C,,', '-i', authorityFile]);
}

/** An empty database. */
export function makeCertificateStore(store: string): void {
  execFileSync('certutil', ['-N', '-d', `sql:${store}`, '--empty-password']);
}

function newKey(file: string): string[] {
  return ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-keyout', file];
}

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
