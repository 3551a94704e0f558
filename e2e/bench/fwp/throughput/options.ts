import { commandOptions, option, parallel, seed, whole, type OptionsOf } from '../../commandOptions.ts';
import { optionError, probabilities, rising } from '../../optionValues.ts';

/** Of a block acknowledgement (IEEE 802.11n). */
const MAX_FRAMES = 64;

const TABLE = {
  frameErrorRates: option('fer A,B,...', 'frame error rates of figure 7', '0,0.01,0.02,0.05,0.1,0.2,0.3,0.4,0.5', (text, name) => rising(name, probabilities(name, text))),
  contended: option('contended A,B,...', 'frame error rates of figure 8', '0.1,0.2,0.4', (text, name) => probabilities(name, text)),
  stations: whole('stations N', 'A-MPDU stations beside: N in figure 7, 1 to N in figure 8', 9, 1, 64),
  sizes: option('ampdu A,B,...', 'frames of the block-ACK window and of an A-MPDU, one after the other', '32/32,64/64,64/32', (text, name) => text.split(',').map((size) => ampduSize(name, size))),
  seconds: whole('seconds N', "of the air's time a run", 120, 1, 3_600),
  runs: whole('runs N', 'seeds', 10, 1, 10_000),
  parallel: parallel(2),
  seed: seed('of the first run; of the bootstrap'),
};

export type ThroughputOptions = OptionsOf<typeof TABLE>;

export const OPTIONS = commandOptions(
  'bench:fwp -- throughput',
  'Figures 7 and 8 of the FWP paper: one station with FWP among stations with A-MPDU, all with frames to send at all times, in virtual time (e2e/link/aggregation).',
  TABLE,
);

/** What the model takes it says itself; here, mistakes in writing are told before anything runs. */
function ampduSize(option: string, text: string): string {
  const [, window, aggregate] = /^(\d+)\/(\d+)$/.exec(text.trim()) ?? [];
  const [most, sent] = [Number(window), Number(aggregate)];
  if (!(sent >= 1 && sent <= most && most <= MAX_FRAMES)) throw optionError(`${option} "${text}" is no size`, `write the frames of the window and of an A-MPDU, at most ${MAX_FRAMES}, as 64/32`);
  return `${most}/${sent}`;
}
