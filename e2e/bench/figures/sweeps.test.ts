import { describe, expect, it } from 'vitest';
import { createRandom } from '../../pages/random.ts';
import { sweepPage } from '../../pages/sweeps/sweepPage.ts';
import { conditionName, pageName, REFERENCE, type Condition } from './condition.ts';
import { planRuns } from './plan.ts';
import { quickSweep, SWEEP_NAMES, SWEEPS } from './sweeps.ts';

const SCHEMES = ['conv', 'pf-managed', 'all'].map((kind) => ({ kind: kind as 'conv', label: kind, partsOff: [] }));

/** What differs from the reference, as names of fields. */
function changes({ page, ...rest }: Condition): string[] {
  const { page: usual, ...usualRest } = REFERENCE;
  const fields = { ...page, ...rest };
  const reference: Record<string, unknown> = { ...usual, ...usualRest };
  return Object.entries(fields).flatMap(([name, value]) => (reference[name] === value ? [] : [name]));
}

describe('SWEEPS', () => {
  it('has the six figures in the report\'s order, with increasing points', () => {
    expect(SWEEPS.map(({ name }) => name)).toEqual(SWEEP_NAMES);
    for (const { points } of SWEEPS) expect(points.map(({ x }) => x)).toEqual(points.map(({ x }) => x).toSorted((a, b) => a - b));
  });

  it.each([
    ['object-size-variance', ['sdBytes']],
    ['object-count', ['inView', 'offScreen']],
    ['connections', ['servers', 'helperConnections']],
    ['servers', ['servers']],
    ['bandwidth', ['kbitPerSecond']],
    ['rtt', ['rttMs']],
  ])('%s varies nothing but %j', (name, varied) => {
    const { points } = SWEEPS.find((sweep) => sweep.name === name)!;
    expect(new Set(points.flatMap(({ condition }) => changes(condition)))).toEqual(new Set(varied));
    expect(new Set(points.map(({ condition }) => conditionName(condition))).size).toBe(points.length);
  });

  it('crosses at the reference, except where one server is given and the helper varies', () => {
    const crossing = SWEEPS.filter(({ points }) => points.some(({ condition }) => changes(condition).length === 0));
    expect(crossing.map(({ name }) => name)).toEqual(SWEEP_NAMES.filter((name) => name !== 'connections'));
  });

  it('has pages that can be made, whatever is drawn', async () => {
    const specs = new Map(SWEEPS.flatMap(({ points }) => points.map(({ condition: { page } }) => [pageName(page), page])));
    for (const spec of specs.values()) {
      for (let draw = 1; draw <= 2; draw++) await expect(sweepPage(createRandom(1).fork(`draw ${draw}`), spec)).resolves.toHaveLength(2 + spec.inView + spec.offScreen);
    }
  });

  it('has the ends only in a quick run', () => {
    expect(SWEEPS.map(quickSweep).map(({ points }) => points.length)).toEqual(SWEEPS.map(() => 2));
  });
});

describe('planRuns', () => {
  const runs = planRuns(SWEEPS, SCHEMES, 3);

  it('measures each condition once, three draws each', () => {
    const pages = runs.flatMap((run) => run.pages.map(({ condition, run: draw }) => `${condition} ${draw}`));
    const conditions = new Set(SWEEPS.flatMap(({ points }) => points.map(({ condition }) => conditionName(condition))));
    expect(new Set(pages).size).toBe(pages.length);
    expect(pages).toHaveLength(3 * conditions.size);
  });

  it('has one run of the test bed for each link and helper', () => {
    expect(runs.map(({ name }) => name)).toEqual([
      '800kbit-150ms', ...[1, 2, 4, 6, 8].map((connections) => `800kbit-150ms-connections-${connections}`),
      ...[200, 400, 1_600, 3_200].map((rate) => `${rate}kbit-150ms`), ...[50, 300, 600].map((rtt) => `800kbit-${rtt}ms`),
    ]);
  });

  it('has the helper fetch for PF where its connections are what varies', () => {
    const labels = (name: string) => runs.find((run) => run.name === name)?.schemes.map(({ label }) => label);
    expect(labels('800kbit-150ms')).toEqual(['conv', 'pf-managed', 'all']);
    expect(labels('800kbit-150ms-connections-1')).toEqual(['conv', 'pf-tunnel', 'all']);
  });

  it('names no page twice within a run', () => {
    for (const { pages } of runs) expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length);
  });
});
