import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BY_INTERCEPTION, BY_POLICY, BY_TUNNEL, DRIVER, FAST_LINK, FIREFOX, LINK, NEXT_PAGE, SECOND_VISITS, type Effect } from './effects.ts';

const PAIRS = ['', 'one pair', 'two pairs', 'three pairs', 'four pairs', 'five pairs'];
const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../../docs', path), 'utf8').replace(/\s+/g, ' ');
const textOf = ({ ratio, interval }: Effect): string => `${ratio.toFixed(2)}${interval === null ? '' : ` [${interval.map((each) => each.toFixed(2)).join(', ')}]`}`;
const madeOf = ({ pages, pairs }: Effect): string => `${pages} pages, ${PAIRS[pairs]}: `;

/** The table of results says what is the newest of each subject; what another page says may be of an older build. */
it.each<[string, string]>([
  ['results/README.md', `| ${madeOf(BY_INTERCEPTION)}all-intercept ${textOf(BY_INTERCEPTION)}`],
  ['results/README.md', `PF by policy ${textOf(BY_POLICY)}, all ${BY_TUNNEL.ratio.toFixed(2)} |`],
  ['results/README.md', `| ${madeOf(SECOND_VISITS)}all-intercept ${textOf(SECOND_VISITS)}`],
  ['results/README.md', `| a trial, ${madeOf(FIREFOX)}the extension alone ${textOf(FIREFOX)}`],
  ['results/first-visits.md', `| pages above 1.03, ISRT | ${BY_INTERCEPTION.later} |`],
  ['results/first-visits.md', `\`all\` (no interception) ${textOf(BY_TUNNEL)}, Speed Index 1.04, ${BY_TUNNEL.later} pages above 1.03`],
  ['results/first-visits.md', `\`pf-managed\` (the gate by policy, no helper) ${textOf(BY_POLICY)}, 1.02, ${BY_POLICY.later} pages`],
  ['results/first-visits.md', `Other schemes, ${PAIRS[BY_TUNNEL.pairs]} a page`],
  ['results/second-visits.md', `| pages above 1.03, ISRT | ${SECOND_VISITS.later} `],
  ['results/firefox.md', `| pages above 1.03, ISRT | ${FIREFOX.later} of ${FIREFOX.pages} |`],
  ['results/fast-link.md', `the first page of a browser ${FAST_LINK.firstPageMs} ms later, the others ${FAST_LINK.laterPagesMs}`],
  ['results/driver.md', `| http | client | ${DRIVER.exchanges} |`],
  ['results/driver.md', `| ${DRIVER.medianRatio.toFixed(2)} [1.00, 1.00] | ${DRIVER.ratio.toFixed(2)} [${DRIVER.interval.map((each) => each.toFixed(2)).join(', ')}] |`],
  ['results/driver.md', `independent losses of ${DRIVER.lossPercent} % each way; six rounds of one seed`],
  ['results/README.md', `HTTP p95 ${DRIVER.ratio.toFixed(2)} [${DRIVER.interval.map((each) => each.toFixed(2)).join(', ')}]`],
  ['link.md', `| 3g-fast | ${LINK.megabitsPerSecond} Mbit/s | 0.768 Mbit/s | ${LINK.rttMs} ms |`],
  ['adr/0043-the-next-page-by-the-helper-alone.md', `| stock | 5 | 183 | ${NEXT_PAGE.withoutMs} |`],
  ['adr/0043-the-next-page-by-the-helper-alone.md', `| and the next page | 5 | 31 | ${NEXT_PAGE.withMs} |`],
])('%s has what the page tells: %s', (page, text) => expect(read(page)).toContain(text));
