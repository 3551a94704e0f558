import { choices, commandOptions, congestion, LINK, losses, option, parallel, rounds, seed, whole, type OptionsOf } from '../../commandOptions.ts';
import { oneOf, profileName } from '../../optionValues.ts';

/** What the ten flows are: small requests one after the other, or bulk the way of the plain flow. */
export const TEN = ['requests', 'bulk'] as const;
export type Ten = (typeof TEN)[number];
/** Which way the plain flow goes. */
export const WAYS = ['down', 'up'] as const;
export type Way = (typeof WAYS)[number];
/** Where a driver runs when the ten are registered. */
const DRIVER_ENDS = ['client', 'both'] as const;

const TABLE = {
  profiles: option('profiles A,B', 'links', '5000kbit-40ms,1000kbit-100ms', (text) => text.split(',').map(profileName)),
  losses: losses('0,0.01'),
  link: LINK,
  ten: choices('ten A,B', 'requests (400 bytes, answers of 1 to 10 kB), bulk (the way of the plain flow)', TEN),
  ways: choices('ways A,B', 'of the plain flow: down, up', WAYS),
  ends: option('ends E', 'where the ten are registered: client, both', 'client', (text, name) => oneOf(name, text, DRIVER_ENDS)),
  congestion: congestion('cubic', 'congestion controls of both ends, one after the other'),
  seconds: whole('seconds N', 'measured of one transfer', 30, 1, 3_600),
  warmUpSeconds: whole('warm-up N', 'seconds before', 5, 0, 3_600),
  rounds: rounds(10),
  parallel: parallel(2),
  seed: seed('losses of the link, sizes of answers, order, bootstrap'),
};

export type FairnessOptions = OptionsOf<typeof TABLE>;

export const OPTIONS = commandOptions('bench:driver -- fairness', 'As root. One plain bulk flow beside ten flows through one bottleneck, the ten registered with RAR and plain.', TABLE);
