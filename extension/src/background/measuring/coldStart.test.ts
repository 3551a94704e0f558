import { beforeEach, describe, expect, it } from 'vitest';
import { ColdStart } from './coldStart.ts';

const URL = 'https://user@a.test/page?secret=1';

let steps: unknown[];
let browserLets: boolean;
let helper: { isUsed: boolean; isOld: boolean; answers: boolean };
let cold: ColdStart;
beforeEach(() => {
  [steps, browserLets, helper] = [[], true, { isUsed: true, isOld: false, answers: true }];
  const browser = {
    mayClose: () => Promise.resolve(browserLets),
    close: () => Promise.resolve(void steps.push('browser')),
    giveUp: () => Promise.resolve(void steps.push('given up')),
  };
  const ask = (type: string, payload: object): Promise<object | null> => {
    steps.push([type, payload]);
    return Promise.resolve(helper.answers ? {} : null);
  };
  cold = new ColdStart(browser, { can: (capability: string) => capability === 'closeConnections' && !helper.isOld, ask } as unknown as ConstructorParameters<typeof ColdStart>[1], () => helper.isUsed);
});

describe('a load that is to begin without connections', () => {
  it('does when those of browser and helper are closed; the helper hears of no page', async () => {
    expect([await cold.isPossible(), await cold.prepare(URL)]).toEqual([true, true]);
    expect(steps).toEqual(['browser', ['closeConnections', { origin: 'https://a.test' }]]);
  });

  it('asks no helper by which the browser does not go', async () => {
    helper = { isUsed: false, isOld: true, answers: false };
    expect([await cold.isPossible(), await cold.prepare(URL)]).toEqual([true, true]);
    expect(steps).toEqual(['browser']);
  });

  it.each<[string, () => void, boolean]>([
    ['the browser does not let it', () => (browserLets = false), false],
    ['the helper is too old', () => (helper.isOld = true), false],
    ['the helper does not answer', () => (helper.answers = false), true],
  ])('does not when %s', async (_, spoil, isPossible) => {
    spoil();
    expect([await cold.isPossible(), await cold.prepare(URL)]).toEqual([isPossible, false]);
    if (!isPossible) expect(steps).toEqual([]);
  });
});
