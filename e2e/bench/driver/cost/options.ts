import { commandOptions, option, rounds, seed, whole, type OptionsOf } from '../../commandOptions.ts';
import { congestionName } from '../../optionValues.ts';

const TABLE = {
  mbitPerSecond: whole('rate N', 'of the wire, each way, Mbit/s; 0: no limit', 1_000, 0, 100_000),
  congestion: option('congestion NAME', 'congestion control of both ends', 'cubic', congestionName),
  seconds: whole('seconds N', 'of one transfer, and of one look at the programs', 5, 1, 3_600),
  rounds: rounds(10),
  seed: seed('order, bootstrap'),
};

export type CostOptions = OptionsOf<typeof TABLE>;

export const OPTIONS = commandOptions('bench:driver -- cost', 'As root. Time that the programs for packets take, and bulk through a registered interface: two network namespaces, a veth pair.', TABLE);
