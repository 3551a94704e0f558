import { join } from 'node:path';
import * as v from 'valibot';
import { readIfPresent } from '../files.ts';

const TrustReceiptSchema = v.object({
  format: v.literal(1),
  /** Stores that the certificate was to go into. */
  stores: v.array(v.string()),
  /** Those of them that were not there before. */
  madeStores: v.array(v.string()),
  /** Directories that were not there before, outermost first. */
  directories: v.array(v.string()),
});

/** What `trust` made beside the authority. It is written before anything that it names, so after a crash it names too much, never too little. */
export type TrustReceipt = v.InferOutput<typeof TrustReceiptSchema>;

export function trustReceiptPath(trustDirectory: string): string {
  return join(trustDirectory, 'trust.json');
}

/** The receipt; nothing where there is none or it is broken: `untrust` looks into every store that it finds, with or without it. */
export function readTrustReceipt(trustDirectory: string): TrustReceipt {
  try {
    return v.parse(TrustReceiptSchema, JSON.parse(readIfPresent(trustReceiptPath(trustDirectory)) ?? ''));
  } catch {
    return { format: 1, stores: [], madeStores: [], directories: [] };
  }
}
