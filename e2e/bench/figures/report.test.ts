import { describe, expect, it } from 'vitest';
import { testLoad } from '../../report/testLoad.ts';
import type { Load } from '../results.ts';
import { conditionName } from './condition.ts';
import { figureSvg } from './figureSvg.ts';
import { figureOf } from './lines.ts';
import { figuresHtml, figuresMarkdown } from './report.ts';
import { RESULTS_VERSION, type FigureResults } from './results.ts';
import { SWEEPS } from './sweeps.ts';

const SERVERS = SWEEPS.find(({ name }) => name === 'servers')!;
const LABELS = ['conv', 'all'];

const load = (place: number, scheme: string, run: number, isrtMs: number | null): Load =>
  testLoad(conditionName(SERVERS.points[place]!.condition), scheme, run, isrtMs ?? 0, isrtMs === null ? { isrtMs, failed: 'TIMEOUT', failure: 'not at rest' } : {});

/** One server: 20 % and 40 % off; two: nothing; four: a failed load; eight: not measured. */
const LOADS = [
  load(0, 'conv', 1, 1_000), load(0, 'all', 1, 800), load(0, 'conv', 2, 2_000), load(0, 'all', 2, 1_200),
  load(1, 'conv', 1, 1_000), load(1, 'all', 1, 1_000),
  load(2, 'conv', 1, 1_000), load(2, 'all', 1, null),
];

const results = (loads: readonly Load[]): FigureResults => ({
  version: RESULTS_VERSION, startedAt: '2026-11-22T10:00:00Z', finishedAt: '2026-11-22T11:00:00Z', ended: 'complete',
  options: { figures: ['servers'], schemes: LABELS, runs: 2, seed: 1, maxLateMs: null, quick: false }, versions: { node: 'v24' },
  machine: { cpu: 'cpu', cores: 2, memoryBytes: 1e9, kernel: '6', root: true },
  testbeds: [{ name: '800kbit-150ms', profile: '800kbit-150ms', helperConnections: null, schemes: LABELS, ended: 'complete', error: null, link: null, congestion: null }],
  figures: [figureOf(SERVERS, LABELS, loads, 1)], loads: [...loads],
});

describe('figureOf', () => {
  const [conv, all] = figureOf(SERVERS, LABELS, LOADS, 1).lines;

  it('gives the gain as the median of pairs, with the interval the right way round', () => {
    expect(all?.points[0]?.n).toBe(2);
    expect(all?.points[0]?.gain?.value).toBeCloseTo(0.3);
    expect(all?.points[0]?.gain?.low).toBeCloseTo(0.2);
    expect(all?.points[0]?.gain?.high).toBeCloseTo(0.4);
    expect(all?.points[0]?.isrtMs.value).toBe(1_000);
  });

  it('has no gain for the baseline, and none where a side failed or was not measured', () => {
    expect(conv?.points.map(({ gain }) => gain)).toEqual([null, null, null, null]);
    expect(all?.points.map(({ n }) => n)).toEqual([2, 1, 0, 0]);
    expect(all?.points[2]?.gain).toEqual({ value: null, low: null, high: null });
  });
});

describe('the drawing', () => {
  const svg = figureSvg(SERVERS, figureOf(SERVERS, LABELS, LOADS, 1)).text;

  it('has a line for every scheme, and the gain of all but the baseline', () => {
    expect(svg.match(/stroke-width="1.8"\/>\n/g)).toHaveLength(3);
    expect(svg).toContain('Gain over CONV');
  });

  it('stands by itself and has no number that is none', () => {
    expect(svg).toMatch(/^<svg xmlns=/);
    expect(svg).not.toMatch(/NaN|undefined|null|Infinity/);
  });

  it('can be drawn of nothing', () => {
    expect(figureSvg(SERVERS, figureOf(SERVERS, LABELS, [], 1)).text).not.toMatch(/NaN|undefined|Infinity/);
  });
});

describe('the report of the figures', () => {
  it('says what was constant, what the report found and what failed', () => {
    for (const text of [figuresHtml(results(LOADS)), figuresMarkdown(results(LOADS))]) {
      expect(text).toContain('18 images in view and 36 below, 8 kB on average (deviation 8 kB), 800 kbit/s both ways, round trip 150 ms, no loss');
      expect(text).toContain('figure 15 (b)');
      expect(text).toContain('TIMEOUT: not at rest');
    }
  });

  it('has a row a point', () => {
    expect(figuresMarkdown(results(LOADS))).toContain('| 1 | 2 | 30 % [20, 40] | 1.50 s | 1.00 s |');
    expect(figuresMarkdown(results(LOADS))).toContain('| 8 | 0 | – [–, –] | – | – |');
  });

  it('fetches nothing', () => {
    expect(figuresHtml(results(LOADS))).not.toMatch(/(?:src|href)="|url\(|@import|<script/);
  });
});
