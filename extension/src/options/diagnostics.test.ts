import { expect, it } from 'vitest';
import { INITIAL_LINK } from '../../../shared/src/estimation/link.ts';
import { STATUS } from '../messages/testing.ts';
import { Sites } from '../settings/sites.ts';
import { diagnosticsText, type DiagnosticsSource } from './diagnostics.ts';

const SECRET = 'secret.example';
const SOURCE: DiagnosticsSource = {
  extensionVersion: '0.1.0',
  userAgent: 'Mozilla/5.0',
  settings: { enabled: true, remember: false, connections: true, nextPage: false, compareVisits: false, dataSaver: true, relay: false },
  sites: Sites.NONE.switched(SECRET, true).with({ host: `a.${SECRET}`, isOff: false, tunnelOnly: true, dataSaver: 'on' }),
  hasAccess: true,
  status: {
    ...STATUS, held: 48, released: 20, inView: 12, connections: 'tunnel',
    driver: { state: 'good', text: `on ${SECRET}`, detail: SECRET, nextStep: SECRET, limits: [`Not on ${SECRET}`] },
  },
  facts: { helperVersion: '1.2.3-beta', link: { ...INITIAL_LINK, rateBitsPerSecond: 1_600_000.4 }, loggedCodes: [{ code: 'E_HELPER_TIMEOUT', count: 3, lastMs: 100_000 }] },
  nowMs: 160_000,
};
const read = (source: DiagnosticsSource): unknown => JSON.parse(diagnosticsText(source));

it('tells versions, settings, states, the link and codes', () => {
  expect(read(SOURCE)).toEqual({
    diagnosticsVersion: 1,
    versions: { extension: '0.1.0', browser: 'Mozilla/5.0', helper: '1.2.3-beta' },
    settings: { enabled: true, remember: false, connections: true, nextPage: false, compareVisits: false, dataSaver: true, relay: false },
    sites: { listed: 2, off: 1, neverOpened: 2, savingData: 1, notSavingData: 0 },
    hasAccess: true,
    states: { hasGate: true, isLinkFast: false, helper: 'connected', misfit: null, memory: 'available', nextPage: 'available', connections: 'tunnel', relay: 'none', driver: 'good' },
    link: { rateBitsPerSecond: 1_600_000, rttMs: Math.round(INITIAL_LINK.rttMs), connectMs: Math.round(INITIAL_LINK.connectMs) },
    codes: [{ code: 'E_HELPER_TIMEOUT', count: 3, secondsAgo: 60 }],
  });
});

it('holds no site, no address and no name, whoever has put one into a text', () => {
  const text = diagnosticsText({ ...SOURCE, facts: { ...SOURCE.facts!, helperVersion: `1 https://${SECRET}/` } });
  expect(text).not.toContain('secret');
  expect(text).toContain('unreadable');
});

it('tells what it can when the background script says nothing', () => {
  expect(read({ ...SOURCE, status: null, facts: null })).toMatchObject({ versions: { extension: '0.1.0', helper: null }, states: null, link: null, codes: null, sites: { listed: 2 } });
});
