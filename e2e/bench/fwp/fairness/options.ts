import { commandOptions, congestion, LINK, losses, option, parallel, rounds, seed, whole, type OptionsOf } from '../../commandOptions.ts';
import { rising, wholeNumber } from '../../optionValues.ts';
import { FRAME_ERROR_RATE } from '../sharedOptions.ts';

const MAX_RTT_MS = 10_000;

const TABLE = {
  kbitPerSecond: whole('kbit N', 'the bottleneck, each way', 50_000, 1, 1_000_000),
  rttsMs: option('rtts A,B,...', 'round trips in ms', '30,40,50,60,70', (text, name) => rising(name, text.split(',').map((rtt) => wholeNumber(name, rtt.trim(), 1, MAX_RTT_MS)))),
  losses: losses('0'),
  link: LINK,
  congestion: congestion('cubic', "congestion controls of the file's server, one after the other"),
  frameErrorRate: FRAME_ERROR_RATE,
  seconds: whole('seconds N', 'looked at in one run', 60, 1, 3_600),
  warmUpSeconds: whole('warm-up N', 'seconds before', 5, 0, 3_600),
  rounds: rounds(10),
  parallel: parallel(1),
  seed: seed('losses of the link, order, bootstrap'),
};

export type FairnessOptions = OptionsOf<typeof TABLE>;

export const OPTIONS = commandOptions(
  'bench:fwp -- fairness',
  "As root. Figure 10 of the FWP paper: a download by the helper beside a plain flow with CUBIC through one bottleneck, with FWP and without: shares of each second, and what the bottleneck's queue drops.",
  TABLE,
);
