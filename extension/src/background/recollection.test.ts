import { describe, expect, it } from 'vitest';
import type { NeededObject } from '../../../shared/src/memory/neededObject.ts';
import type { HelperLink } from './helperLink.ts';
import { Recollection } from './recollection.ts';

const STYLE: NeededObject = { url: 'https://a.test/s.css', kind: 'style', bytes: 10 };

/** A helper with a memory, or without. */
function helperWith(objects: readonly NeededObject[] | null): { helper: Pick<HelperLink, 'ask' | 'can'>; asked: unknown[] } {
  const asked: unknown[] = [];
  const ask = (type: string, payload: unknown): Promise<unknown> => {
    asked.push([type, payload]);
    return Promise.resolve(type === 'expect' ? { objects } : {});
  };
  return { helper: { can: () => objects !== null, ask: ask as HelperLink['ask'] }, asked };
}

describe('Recollection', () => {
  it('asks when a tab navigates, and tells once', async () => {
    const { helper, asked } = helperWith([STYLE]);
    const recollection = new Recollection(helper);
    recollection.navigated(1, 'https://a.test/');
    expect(asked).toEqual([['expect', { url: 'https://a.test/' }]]);
    expect([await recollection.take(1), await recollection.take(1), await recollection.take(2)]).toEqual([[STYLE], [], []]);
  });

  it('what was asked about another page of the tab is not told', async () => {
    const { helper, asked } = helperWith([STYLE]);
    const recollection = new Recollection(helper);
    recollection.navigated(1, 'https://a.test/');
    recollection.navigated(1, 'https://b.test/');
    await recollection.take(1);
    expect(asked).toHaveLength(2);
  });

  it('tells what a page has needed', () => {
    const { helper, asked } = helperWith([]);
    new Recollection(helper).visited('https://a.test/', [STYLE]);
    expect(asked).toEqual([['visited', { url: 'https://a.test/', needed: [STYLE] }]]);
  });

  it('without a helper that remembers, nothing is asked', async () => {
    const { helper, asked } = helperWith(null);
    const recollection = new Recollection(helper);
    recollection.navigated(1, 'https://a.test/');
    recollection.visited('https://a.test/', [STYLE]);
    expect([await recollection.take(1), asked]).toEqual([[], []]);
  });
});
