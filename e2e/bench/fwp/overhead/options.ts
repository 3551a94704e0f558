import { commandOptions, LINK, option, parallel, profile, seed, whole, type OptionsOf } from '../../commandOptions.ts';
import { congestionName, optionError, probabilities, rising } from '../../optionValues.ts';
import { fileBytes, MAX_RATE } from '../sharedOptions.ts';

const TABLE = {
  /** Its rate down is the air's. */
  profile: profile('100000kbit-50ms'),
  link: LINK,
  /** The first one is 0. */
  frameErrorRates: option('fer A,B,...', `frame error rates of the air, the way down, beside 0; at most ${MAX_RATE}`, '0.01,0.02,0.05,0.1,0.2', (text, name) => besideNone(name, probabilities(name, text))),
  congestion: option('congestion NAME', 'congestion control of the server', 'cubic', congestionName),
  bytes: fileBytes(20_000_000),
  rounds: whole('rounds N', 'seeds', 5, 1, 10_000),
  parallel: parallel(1),
  seed: seed('losses of the first round, bootstrap'),
};

export type OverheadOptions = OptionsOf<typeof TABLE>;

export const OPTIONS = commandOptions(
  'bench:fwp -- overhead',
  "As root. Figure 11 of the FWP paper: what a download with FWP brings more over the Internet path and over the wireless hop than without losses. The link's way down is the emulator's air in its FWP mode (docs/link.md), and the driver expects twice its frame error rate.",
  TABLE,
);

function besideNone(option: string, rates: readonly number[]): number[] {
  if (rates.some((rate) => rate > MAX_RATE)) throw optionError(`${option} ${rates.join(',')} has a rate above ${MAX_RATE}`, 'leave it out: the driver takes none');
  return rising(option, [0, ...rates]);
}
