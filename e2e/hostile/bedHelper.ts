import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { BENCH_HELPER, HELPER } from '../browsers/executables.ts';
import { trustHelper } from '../browsers/extension.ts';
import { fillCertificateStore, trustAuthority, type Certificates } from './certificates.ts';

/** Has the helper make an authority and Chromium trust it, as its user would; Chromium trusts the bed's own authority, too. @param home an empty directory */
export async function makeTrustedHome(home: string, certificates: Certificates): Promise<void> {
  await trustHelper(HELPER, home, null);
  fillCertificateStore(path.join(home, '.pki/nssdb'), certificates);
}

/** Has a Firefox profile trust the helper's authority of a home. */
export function trustAuthorityOf(home: string, store: string): void {
  trustAuthority(store, 'firstscreen', path.join(home, 'data/firstscreen/trust/authority.pem'));
}

/**
 * The text of a script that starts the helper with directories of its own, as the launcher does
 * (helper/src/cli/launcher.ts). Its process identifiers are kept.
 *
 * @param dataHome with or without an authority
 * @param authorityFile of the bed's servers, which the helper is to trust as its user would have it
 * @param hasRelay whether it uses one
 */
export function helperScript(dir: string, dataHome: string, authorityFile: string, options: readonly string[], hasRelay = false): string {
  mkdirSync(path.join(dir, 'firstscreen'), { recursive: true });
  copyFileSync(authorityFile, path.join(dir, 'firstscreen/server-authorities.pem'));
  // the bed is a fast link, on which no connection would go by a relay; parts are left out by the bundle of benchmarks alone
  return [
    '#!/bin/sh',
    `export XDG_STATE_HOME='${dir}' XDG_CACHE_HOME='${dir}' XDG_CONFIG_HOME='${dir}' XDG_DATA_HOME='${dataHome}'`,
    ...(hasRelay ? ['export FIRSTSCREEN_PARTS_OFF=steppingAside'] : []),
    'exec 3<&0',
    `'${process.execPath}' '${hasRelay ? BENCH_HELPER : HELPER}' host ${options.join(' ')} "$@" <&3 3<&- 2>> '${dir}/log' &`,
    `echo $! >> '${pidFileOf(dir)}'`,
    'wait $!',
    '',
  ].join('\n');
}

/** Where the ids of a helper's processes are kept. @param dir of the helper */
export function pidFileOf(dir: string): string {
  return path.join(dir, 'pids');
}
