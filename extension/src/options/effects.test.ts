import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BY_INTERCEPTION, BY_POLICY, BY_TUNNEL, FAST_LINK, FIREFOX, LINK, NEXT_PAGE, SECOND_VISITS, type Effect } from './effects.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../../docs', path), 'utf8').replace(/\s+/g, ' ');
const textOf = ({ ratio, interval }: Effect): string => `${ratio.toFixed(2)}${interval === null ? '' : ` [${interval.map((each) => each.toFixed(2)).join(', ')}]`}`;
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** The page of results says the newest first in its table; a claim of an older build would be none. */
it.each<[string, string]>([
  [`First visits, 3g-fast](first-visits.md) | `, `a trial, ${BY_POLICY.pages} pages, one pair: PF by policy ${textOf(BY_POLICY)}, all ${textOf(BY_TUNNEL)}, all-intercept ${textOf(BY_INTERCEPTION)}`],
  [`Second visits, 3g-fast](second-visits.md) | `, `a trial, ${SECOND_VISITS.pages} pages, one pair: all-intercept ${textOf(SECOND_VISITS)}`],
  [`Firefox](firefox.md) | `, `a trial, ${FIREFOX.pages} pages, one pair: the extension alone ${textOf(FIREFOX)}`],
])('the table of results has in its row of %s what the page tells', (row, text) => {
  const results = read('results/README.md');
  expect(results.slice(results.indexOf(row)).split(' | ')[3]).toContain(text);
});

it.each<[string, string]>([
  ['results/first-visits.md', `| pages above 1.03, ISRT | ${BY_POLICY.later} | ${BY_TUNNEL.later} |`],
  ['results/first-visits.md', `\`all-intercept\` **${textOf(BY_INTERCEPTION)}**`],
  ['results/first-visits.md', `above 1.03 ${NUMBERS[BY_INTERCEPTION.later]} pages`],
  ['results/second-visits.md', `| pages above 1.03, ISRT | 0 | ${SECOND_VISITS.later} (`],
  ['results/firefox.md', `| pages above 1.03, ISRT | ${FIREFOX.later} of ${FIREFOX.pages} |`],
  ['results/fast-link.md', `the first page of a browser ${FAST_LINK.firstPageMs} ms later, the others ${FAST_LINK.laterPagesMs}`],
  ['link.md', `| 3g-fast | ${LINK.megabitsPerSecond} Mbit/s | 0.768 Mbit/s | ${LINK.rttMs} ms |`],
  ['adr/0043-the-next-page-by-the-helper-alone.md', `| stock | 5 | 183 | ${NEXT_PAGE.withoutMs} |`],
  ['adr/0043-the-next-page-by-the-helper-alone.md', `| and the next page | 5 | 31 | ${NEXT_PAGE.withMs} |`],
])('%s has what the page tells: %s', (page, text) => expect(read(page)).toContain(text));
