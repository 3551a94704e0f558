import { choices, commandOptions, congestion, LINK, losses, parallel, profile, rounds, seed, type OptionsOf } from '../../commandOptions.ts';
import { fileBytes, FRAME_ERROR_RATE } from '../sharedOptions.ts';

/** How packets are lost: each by itself, or in fades. */
export const PATTERNS = ['independent', 'bursts'] as const;
export type Pattern = (typeof PATTERNS)[number];

const TABLE = {
  profile: profile('20000kbit-50ms'),
  link: LINK,
  losses: losses('0.001,0.005,0.01,0.02,0.05'),
  patterns: choices('patterns A,B', 'independent, bursts (fades of 100 ms that take half of the packets)', PATTERNS),
  congestion: congestion('reno,cubic,bbr'),
  bytes: fileBytes(100_000_000),
  frameErrorRate: FRAME_ERROR_RATE,
  rounds: rounds(3),
  parallel: parallel(1),
  seed: seed('losses of the link, order, bootstrap'),
};

export type DownloadOptions = OptionsOf<typeof TABLE>;

export const OPTIONS = commandOptions('bench:fwp -- download', 'As root. A file over plain HTTP by the helper, without FWP and with it; SHA-256 of every one.', TABLE);
