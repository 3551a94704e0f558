import { choices, commandOptions, LINK, parallel, profile, seed, whole, type OptionsOf } from '../../commandOptions.ts';

export const KINDS = ['http', 'https'] as const;
export type Kind = (typeof KINDS)[number];

/** Where a driver runs; `none` is stock Linux. */
export const ENDS = ['none', 'client', 'both'] as const;
export type Ends = (typeof ENDS)[number];

const TABLE = {
  profile: profile('wwan'),
  link: LINK,
  kinds: choices('kinds A,B', 'http, https', KINDS),
  ends: choices('ends A,B,C', 'where a driver runs: none (stock Linux), client, both', ENDS),
  fartherMs: whole('farther MS', "the round trip to every second exchange's server is so much longer; 0: there is one server", 100, 0, 10_000),
  count: whole('count N', 'fresh exchanges of each kind and ends, with both servers', 400, 1, 1_000_000),
  batch: whole('batch N', 'at most so many are of one start of the link; what is compared takes turns', 20, 1, 10_000),
  parallel: parallel(2),
  seed: seed('losses of the link, order, bootstrap'),
};

export type ExchangesOptions = OptionsOf<typeof TABLE>;

export const OPTIONS = commandOptions('bench:driver -- exchanges', 'As root. Fresh exchanges over a link that loses, with a driver and without.', TABLE);
