import { commandOptions, MAX_LATE, option, profile, seed, whole, type OptionsOf } from '../../commandOptions.ts';
import { parseComparison } from '../../options.ts';
import { optionError, probabilities } from '../../optionValues.ts';

const PERCENT = 100;
/** What a picture's own pixels take, with room. */
const MIN_BYTES = 20_000;
const MAX_BYTES = 20_000_000;

const TABLE = {
  profile: profile('20000kbit-50ms'),
  lossPercents: option('losses A,B', 'of the link, each way, whole percents', '0.02,0.05', (text, name) => probabilities(name, text).map((loss) => wholePercent(name, loss))),
  schemes: option('schemes A,B,...', 'of npm run bench; the first is the baseline', 'conv,all,all-driver,all-fwp', parseComparison),
  bytes: whole('bytes N', 'of each picture', 500_000, MIN_BYTES, MAX_BYTES),
  runs: whole('runs N', 'pairs', 5, 1, 1_000),
  maxLateMs: MAX_LATE,
  seed: seed('pictures, order of schemes, losses, bootstrap'),
};

export type PageOptions = OptionsOf<typeof TABLE>;

export const OPTIONS = commandOptions('bench:fwp -- page', 'As root. A page of twelve large pictures over plain HTTP, half of them in view, in a browser: npm run bench, with losses.', TABLE);

function wholePercent(option: string, loss: number): number {
  const percent = Math.round(loss * PERCENT);
  if (percent / PERCENT !== loss) throw optionError(`${option} ${loss} is no whole percent`, 'write for instance 0.02,0.05');
  return percent;
}
