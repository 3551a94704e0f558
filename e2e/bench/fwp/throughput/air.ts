import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { AGGREGATION } from '../../../browsers/executables.ts';
import { said } from '../../driver/overLink.ts';
import { BenchError } from '../../errors.ts';

const Station = v.object({ scheme: v.picklist(['fwp', 'ampdu']), bitsPerSecond: v.number(), framesReceived: v.number(), framesSent: v.number(), opportunities: v.number() });
export type Station = v.InferOutput<typeof Station>;

/** What stations are given that contend for the air. */
export interface Contention {
  readonly frameErrorRate: number;
  /** Beside the one with FWP. */
  readonly stations: number;
  /** Frames of the block-ACK window and of an A-MPDU, as 64/32. */
  readonly size: string;
}

/** One run of the model. The station with FWP is the first one. @throws BenchError E_AGGREGATION */
export async function contend({ frameErrorRate, stations, size }: Contention, seconds: number, seed: number): Promise<Station[]> {
  const schemes = ['fwp', ...Array.from({ length: stations }, () => 'ampdu')].join(',');
  const options = ['--stations', schemes, '--fer', String(frameErrorRate), '--ampdu', size, '--seconds', String(seconds), '--seed', String(seed)];
  try {
    const { stdout } = await promisify(execFile)(AGGREGATION, options);
    return stdout.trim().split('\n').map((line) => v.parse(Station, JSON.parse(line)));
  } catch (cause) {
    throw new BenchError('E_AGGREGATION', `The model of the air did not end well: ${said(cause)}`, 'run it by npm (npm run bench:fwp), which builds it', { cause });
  }
}
