import { beforeEach, describe, expect, it } from 'vitest';
import { ColdStart } from './coldStart.ts';

const URL = 'https://user@a.test/page?secret=1';
const ASKED = ['closeConnections', { origin: 'https://a.test' }];

let steps: unknown[];
let helper: { isUsed: boolean; isOld: boolean; answers: boolean };
beforeEach(() => {
  [steps, helper] = [[], { isUsed: true, isOld: false, answers: true }];
});

function coldStart(needsHelper: boolean): ColdStart {
  const ask = (type: string, payload: object): Promise<object | null> => {
    steps.push([type, payload]);
    return Promise.resolve(helper.answers ? { port: 7 } : null);
  };
  const link = { can: (capability: string) => capability === 'closeConnections' && !helper.isOld, ask };
  return new ColdStart({ needsHelper, close: (port) => Promise.resolve(void steps.push(port)) }, link as unknown as ConstructorParameters<typeof ColdStart>[1], () => helper.isUsed);
}

describe('a load that is to begin without connections', () => {
  it.each([true, false])('does when those of the helper and the browser are closed; the helper hears of no page (browser needs it: %s)', async (needsHelper) => {
    const cold = coldStart(needsHelper);
    expect([cold.isPossible, await cold.prepare(URL)]).toEqual([true, true]);
    expect(steps).toEqual([ASKED, 7]);
  });

  it.each([
    [true, [ASKED, 7]],
    [false, [null]],
  ])('without Firstscreen asks the helper where the browser needs it (%s)', async (needsHelper, expected) => {
    helper.isUsed = false;
    expect(await coldStart(needsHelper).prepare(URL)).toBe(true);
    expect(steps).toEqual(expected);
  });

  it.each<[string, () => void, boolean]>([
    ['the helper is too old, or absent', () => (helper.isOld = true), false],
    ['the helper does not answer', () => (helper.answers = false), true],
  ])('does not when %s', async (_, spoil, isPossible) => {
    spoil();
    const cold = coldStart(true);
    expect([cold.isPossible, await cold.prepare(URL)]).toEqual([isPossible, false]);
    expect(steps).toEqual(isPossible ? [ASKED] : []);
  });
});
