import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The hosts of the bed: `CASE.own.test` leads to the address of `own`. Public addresses, in a network namespace of the bed's own, as the helper asks ahead of the browser for public ones only.
 * `cert` asks for a client's certificate, a blocker blocks `tracker`, `two` speaks HTTP/2, `rebind` is `other` when it is first asked for and this machine afterwards.
 */
export const ADDRESSES = {
  own: '93.184.216.1',
  other: '93.184.216.2',
  two: '93.184.216.3',
  tracker: '93.184.216.4',
  cert: '93.184.216.5',
  rebind: '93.184.216.6',
  private: '10.0.0.1',
  loop: '127.0.0.1',
} as const;

export type HostKind = keyof typeof ADDRESSES;
export const HOST_KINDS = Object.keys(ADDRESSES) as HostKind[];

/** Chromium asks nobody which certificate it shows. */
const POLICIES = { AutoSelectCertificateForUrls: ['{"pattern":"https://[*.]cert.test","filter":{}}'] };
const POLICY_DIR = '/etc/chromium';
const LINK = 'bed0';
const LINK_END = 'bed1';
const SYSTEM_CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Command line that starts a program in a network and mount namespace of its own; as root of a user namespace where this is not root. */
export function inOwnNamespaces(command: readonly string[]): readonly [string, ...string[]] {
  return ['unshare', process.getuid?.() === 0 ? '-nm' : '-Urnm', '--', ...command];
}

/** Makes the network of the bed in the namespace of this process: addresses, the resolver's file, and the authority that the machine trusts. */
export function makePlace(dir: string, authorityPem: string): void {
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', LINK, 'type', 'veth', 'peer', 'name', LINK_END);
  // else they get one of IPv6 by themselves, a second or two after they are up: to a browser the network changes once more
  for (const end of [LINK, LINK_END]) ip('link', 'set', end, 'addrgenmode', 'none');
  ip('link', 'set', LINK_END, 'up');
  linkUp();
  const resolver = path.join(dir, 'resolv.conf');
  writeFileSync(resolver, 'nameserver 127.0.0.1\n');
  bind(resolver, '/etc/resolv.conf');
  const certificates = path.join(dir, 'certificates.crt');
  if (existsSync(SYSTEM_CERTIFICATES)) {
    copyFileSync(SYSTEM_CERTIFICATES, certificates);
    appendFileSync(certificates, authorityPem);
    bind(certificates, SYSTEM_CERTIFICATES);
  }
  const policies = path.join(dir, 'chromium');
  cpSync(POLICY_DIR, policies, { recursive: true });
  mkdirSync(path.join(policies, 'policies/managed'), { recursive: true });
  writeFileSync(path.join(policies, 'policies/managed/hostile.json'), JSON.stringify(POLICIES));
  bind(policies, POLICY_DIR);
}

/** The link of the machine's own addresses goes, as when a cable is pulled: nothing can be reached but this machine. */
export function linkDown(): void {
  // without it the kernel goes on over the loopback interface
  ip('addr', 'flush', 'dev', LINK);
  ip('link', 'set', LINK, 'down');
}

/** The link is there, with all addresses. */
export function linkUp(): void {
  ip('link', 'set', LINK, 'up');
  for (const address of Object.values(ADDRESSES)) if (!address.startsWith('127.')) ip('addr', 'replace', `${address}/32`, 'dev', LINK);
}

/** The machine gets another address beside those it has, as after a change of networks. */
export function changeAddress(): void {
  ip('addr', 'add', '93.184.217.1/32', 'dev', LINK);
  ip('addr', 'del', '93.184.217.1/32', 'dev', LINK);
}

function ip(...args: readonly string[]): void {
  execFileSync('ip', args);
}

function bind(file: string, over: string): void {
  execFileSync('mount', ['--bind', file, over]);
}
