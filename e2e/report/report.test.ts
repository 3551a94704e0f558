import { describe, expect, it } from 'vitest';
import { compareSchemes } from '../bench/comparisons.ts';
import { RESULTS_VERSION, type Load, type Results } from '../bench/results.ts';
import { lastLine } from '../bench/lastLine.ts';
import { terminalTable } from '../bench/terminalTable.ts';
import { htmlReport } from './html.ts';
import { markdownTable } from './markdownTable.ts';
import { pageRows } from './pageRows.ts';
import { testLoad as load } from './testLoad.ts';

function results(loads: readonly Load[]): Results {
  const pages = [...new Set(loads.map(({ page }) => page))];
  return {
    version: RESULTS_VERSION, startedAt: '2026-11-21T10:00:00Z', finishedAt: '2026-11-21T10:05:00Z', ended: 'complete', error: null,
    options: { profile: '3g-fast', protocol: 'h1', runs: 2, seed: 1, maxLateMs: null, relayRttMs: null, isSecondPage: false, viewport: { width: 1366, height: 768 }, schemes: [{ label: 'conv', kind: 'conv' }, { label: 'pf', kind: 'all' }] },
    versions: { node: 'v24' }, machine: { cpu: 'cpu', cores: 2, memoryBytes: 1e9, kernel: '6', root: true }, link: null, congestion: 'cubic',
    pages: pages.map((name) => ({ name, path: name, entryUrl: null, offScreenShare: 0.5, pictureNoise: 0.01, error: null })),
    comparisons: compareSchemes(loads, [{ scheme: 'pf', baseline: 'conv' }], 1), loads: [...loads],
  };
}

const both = [
  load('winner', 'conv', 1, 1_000), load('winner', 'pf', 1, 500), load('winner', 'conv', 2, 1_000), load('winner', 'pf', 2, 600),
  load('loser', 'conv', 1, 1_000), load('loser', 'pf', 1, 1_500), load('loser', 'conv', 2, 1_000), load('loser', 'pf', 2, 1_300),
];

describe('the report', () => {
  it('shows losers first', () => {
    expect(pageRows(results(both), 'pf').map(({ page }) => page)).toEqual(['loser', 'winner']);
  });

  it('counts failed loads and says why, and pairs them with nothing', () => {
    const failed = load('winner', 'pf', 3, 1, { isrtMs: null, failed: 'TIMEOUT', failure: 'not at rest after 60 s' });
    const all = results([...both, load('winner', 'conv', 3, 1_000), failed]);
    expect(pageRows(all, 'pf').find(({ page }) => page === 'winner')).toMatchObject({ n: 2, scheme: { failed: [failed] } });
    expect(htmlReport(all, () => null)).toContain('TIMEOUT: not at rest after 60 s');
    expect(markdownTable(all)).toContain('winner, pf, round 3, attempt 1: TIMEOUT');
    expect(lastLine(all, 'x')).toContain('1 failed');
  });

  it('says of which loads of a relay a part went the direct way', () => {
    const relayed = (run: number, requestsRelayed: number) => load('winner', 'pf', run, 500, { requests: 3, requestsRelayed });
    const table = terminalTable(results([load('winner', 'conv', 1, 1_000), relayed(1, 3), relayed(2, 2)]));
    expect(table).toContain('winner pf round 2: 1 of 3 requests');
    expect(table).not.toContain('winner pf round 1');
  });

  it('names what a load has fetched twice, the first of many', () => {
    const twice = (run: number, count: number) => load('winner', 'pf', run, 500, { fetchedTwice: Array.from({ length: count }, (_, n) => `http://a.test/${n}`) });
    const table = terminalTable(results([load('winner', 'conv', 1, 1_000), twice(1, 0), twice(2, 2), twice(3, 12)]));
    expect(table).toContain('winner pf round 2: 2 fetched twice (http://a.test/0 http://a.test/1)\n');
    expect(table).toContain('winner pf round 3: 12 fetched twice (http://a.test/0 http://a.test/1 http://a.test/2 …)\n');
    expect(table).not.toContain('winner pf round 1');
  });

  it('says which form of the product it shows', () => {
    expect(htmlReport(results(both), () => null)).toContain('firstscreen-helper install --policy');
  });

  it('escapes what comes from recorded pages', () => {
    const html = htmlReport(results(both), () => 'data:image/jpeg;base64,');
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;');
  });

  it('fetches nothing', () => {
    expect(htmlReport(results(both), () => 'data:image/jpeg;base64,AA')).not.toMatch(/(?:src|href)="(?!data:)|url\(|@import/);
  });

  it('can be made of a run that measured nothing', () => {
    const nothing = results([]);
    expect(htmlReport(nothing, () => null)).toContain('No pair was measured');
    expect(markdownTable(nothing)).toContain('3g-fast');
    expect(lastLine(nothing, 'x')).toContain('No pair was measured');
  });

  it('says when loads of a late link count', () => {
    const all = results(both);
    expect(markdownTable(all)).not.toContain('--max-late');
    expect(markdownTable(all)).not.toContain('--second-page');
    expect(markdownTable({ ...all, options: { ...all.options, isSecondPage: true } })).toContain('--second-page');
    expect(markdownTable({ ...all, options: { ...all.options, maxLateMs: 40 } })).toContain('late by up to 40 ms count');
    expect(markdownTable({ ...all, options: { ...all.options, relayRttMs: 30 } })).toContain('servers 30 ms behind it');
  });

  it('names the pages that a scheme harms, in ISRT and Speed Index', () => {
    expect(markdownTable(results(both))).toContain('- ISRT above 1.03: 1 of 2 pages: loser 1.40');
    expect(htmlReport(results(both), () => null)).toContain('Speed Index above 1.03: 1 of 2 pages: loser 1.40.');
    expect(terminalTable(results(both))).toContain('ISRT above 1.03: 1 of 2 pages: loser 1.40');
    expect(markdownTable(results(both.filter(({ page }) => page === 'winner')))).toContain('- ISRT above 1.03: 0 of 1 pages\n');
  });

  it('shows where the time went, for stock and scheme', () => {
    expect(terminalTable(results(both))).toMatch(/loser .* 0\.50\+0\.20\+0\.30 +0\.70\+0\.28\+0\.42 +0\.40 s, –/);
    expect(htmlReport(results(both), () => null)).toContain('title="pf: needed 0.70 s, waste 0.28 s, idle 0.42 s"');
  });

  it('tells the pages of a journey by themselves', () => {
    const steps = (isrtMs: number) => ['https://n.test/', 'https://n.test/stories/1'].map((url) => ({ url, isrtMs, neededMs: isrtMs, wasteMs: 0, idleMs: 0, speedIndexMs: isrtMs, allObjectsMs: isrtMs, bytes: 2_000, requests: 1 }));
    const all = results([load('n', 'conv', 1, 4_000, { steps: steps(2_000) }), load('n', 'pf', 1, 3_000, { steps: steps(1_500) })]);
    expect(markdownTable(all)).toContain('| n | 2: n.test/…/1 | 2.00 s | 1.50 s |');
    expect(markdownTable(all)).toContain('0.6 s a page');
    expect(htmlReport(all, () => null)).toContain('https://n.test/stories/1');
    expect(markdownTable(results(both))).not.toContain('| journey |');
  });

  it('says of each comparison which side is stock', () => {
    const certain = htmlReport(results(both.filter(({ page }) => page === 'winner')), () => null);
    expect(certain).toContain('with Firstscreen (pf) than with stock (conv)</h1>');
    expect(certain).toContain('<h2>Firstscreen (pf) beside stock (conv)</h2>');
  });

  it('claims a gain only when the interval is on one side of 1', () => {
    expect(htmlReport(results(both), () => null)).toContain('No certain difference');
    const certain = results(both.filter(({ page }) => page === 'winner'));
    expect(htmlReport(certain, () => null)).toContain('% sooner</em>');
  });
});
