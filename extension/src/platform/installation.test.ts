import { describe, expect, it } from 'vitest';
import * as chromium from './chromium/installation.ts';
import * as firefox from './firefox/installation.ts';
import * as managed from './managed/installation.ts';

/** Only what a person has installed to stay opens a tab. */
describe.each([
  ['from a store', chromium, 'store', [true, true, false, false]],
  ['by policy', managed, 'policy', [false, false, false, false]],
  ['in Firefox', firefox, 'firefox', [true, false, false, false]],
] as const)('the extension %s', (_, { INSTALLATION, greets }, kind, expected) => {
  it('knows how it was installed', () => expect(INSTALLATION).toBe(kind));

  it('opens the welcome page after an installation that stays, and after nothing else', () => {
    const told = [{ reason: 'install' }, { reason: 'install', temporary: true }, { reason: 'update', temporary: false }, { reason: 'chrome_update' }];
    expect(told.map(greets)).toEqual(expected);
  });
});
