import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { TRANSFERS } from '../../../browsers/executables.ts';
import { overLink } from '../../driver/overLink.ts';
import { BenchError } from '../../errors.ts';
import { FILES_PORT, type Way } from '../plan.ts';
import { SideResult, type SidePlan } from './plan.ts';

export interface DownloadPlan {
  readonly way: Way;
  readonly bytes: number;
  /** Of the server. */
  readonly congestion: string;
  /** That the driver expects of the link; null: it learns. */
  readonly frameErrorRate: number | null;
  /** Options of firstscreen-link. */
  readonly link: readonly string[];
  readonly seed: number;
}

/** One start of the link, with one download over it, whose bytes are what they have to be. @param sha256 of the file. @throws BenchError E_LINK_RUN, E_WRONG_BYTES */
export async function runDownload({ way, bytes, congestion, frameErrorRate, link, seed }: DownloadPlan, sha256: string): Promise<SideResult> {
  const near = (directory: string): SidePlan => ({ client: { way, directory, frameErrorRate }, bytes });
  const stdout = await overLink({
    options: link, seed,
    commands: (directory) => ({
      near: [process.execPath, join(import.meta.dirname, 'side.ts'), JSON.stringify(near(directory))],
      far: [TRANSFERS, 'serve-files', '--port', String(FILES_PORT), '--congestion', congestion],
    }),
  });
  const result = v.parse(SideResult, JSON.parse(stdout));
  if (result.sha256 !== null && result.sha256 !== sha256) {
    throw new BenchError('E_WRONG_BYTES', `A download (${way}, ${congestion}, link ${link.join(' ')}, seed ${seed}) brought other bytes than the file's`, 'this is a fault of the product: run it again with this seed to find it');
  }
  return result;
}

const Digest = v.object({ sha256: v.string() });

/** Of a file as the server makes it. */
export async function digestOf(bytes: number): Promise<string> {
  const { stdout } = await promisify(execFile)(TRANSFERS, ['digest', '--bytes', String(bytes)]);
  return v.parse(Digest, JSON.parse(stdout)).sha256;
}
