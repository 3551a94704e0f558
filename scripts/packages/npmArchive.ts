import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PackagingError } from './packagingError.ts';
import { runTool } from './runTool.ts';

/** An archive of the npm registry that was chosen before. */
export interface NpmArchive {
  readonly name: string;
  readonly version: string;
  /** As npm writes it: `sha512-` and the sum in base64. */
  readonly integrity: string;
}

const NEXT = 'See to it that the npm registry can be reached, then run this again.';

/**
 * What an archive has, fetched from the npm registry the first time: for any machine, where npm itself installs for this one alone.
 *
 * @param cache directory that is kept between runs
 * @param members what is taken of it; nothing: all
 * @returns the directory where it lies
 * @throws PackagingError E_PACKAGE_TOOL when it can not be had, E_PACKAGE_NODE when it is not the one that was chosen
 */
export function fetchArchive({ name, version, integrity }: NpmArchive, cache: string, members: readonly string[] = []): string {
  const directory = join(cache, `${name.replace('@', '').replace('/', '-')}-${version}`);
  if (existsSync(directory)) return directory;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, 'fetching-'));
  try {
    const archive = join(fresh, runTool('npm', ['pack', '--silent', '--pack-destination', fresh, `${name}@${version}`], { cwd: cache, next: NEXT }).trim());
    refuseOther(readFileSync(archive), integrity, `${name}@${version}`);
    runTool('tar', ['--extract', '--gzip', '--file', archive, '--directory', fresh, ...members.map((member) => `package/${member}`)], { cwd: fresh, next: NEXT });
    moveWhole(join(fresh, 'package'), directory);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return directory;
}

/** In one step, so that a run that is broken off leaves nothing that looks whole; another run may have been first. */
function moveWhole(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}

/** @param integrity as npm writes it */
export function refuseOther(archive: Buffer, integrity: string, name: string): void {
  const [algorithm = '', wanted] = integrity.split('-', 2);
  if (createHash(algorithm).update(archive).digest('base64') === wanted) return;
  throw new PackagingError('E_PACKAGE_NODE', `The registry's ${name} is not the one that was chosen.`, 'Compare its sum with that in scripts/packages/nodeBuilds.ts or package-lock.json; do not use it before you know why they differ.');
}
