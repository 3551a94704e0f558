import { MAX_LATE, option, QUICK, seed, whole, withQuick, type OptionsOf } from '../commandOptions.ts';
import { parseComparison } from '../options.ts';
import { choice } from '../optionValues.ts';
import { quickSweep, SWEEP_NAMES, SWEEPS, type Sweep } from './sweeps.ts';

const FULL = { schemes: 'conv,pf-managed,pf+or,pf+cm,all', runs: 3, drawn: (sweep: Sweep): Sweep => sweep };
/** The ends of each figure: about ten minutes. */
const LESS: typeof FULL = { schemes: 'conv,pf-managed,all', runs: 1, drawn: quickSweep };

const table = (usual: typeof FULL) => ({
  sweeps: option('figure A,B,...', `only these: ${SWEEP_NAMES.join(', ')}`, SWEEP_NAMES.join(','), (text, name) => sweepsOf(choice(name, text, SWEEP_NAMES)).map(usual.drawn), 'all'),
  schemes: option('schemes A,B,...', 'of npm run bench; the first is the baseline', usual.schemes, parseComparison),
  runs: whole('runs N', 'pages drawn for each point, each loaded once with every scheme', usual.runs, 1, 100),
  seed: seed('what is drawn, order of pages and schemes, bootstrap'),
  quick: QUICK,
  maxLateMs: MAX_LATE,
});

export type FigureOptions = OptionsOf<ReturnType<typeof table>>;

export const OPTIONS = withQuick('bench:figures', 'Draws the six figures of the NSF report (section VI-D) anew: generated pages in a real browser.', FULL, LESS, table);

function sweepsOf(names: readonly string[]): Sweep[] {
  return SWEEPS.filter(({ name }) => names.includes(name));
}
