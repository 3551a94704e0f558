import { describe, expect, it } from 'vitest';
import type { HelperState } from './helperLink.ts';
import type { OwnConnections } from './ownConnections.ts';
import { helperStatus } from './status.ts';

const ABLE = ['memory', 'proxy'];

function statusOf({ helper = 'connected', can = ABLE, isOurs = true, state = 'browser' }: { helper?: HelperState; can?: string[]; isOurs?: boolean | Error; state?: OwnConnections['state'] }): ReturnType<typeof helperStatus> {
  const asked = isOurs instanceof Error ? Promise.reject(isOurs) : Promise.resolve(isOurs);
  // nobody asks when something else decides
  asked.catch(() => undefined);
  return helperStatus({ state: helper, can: (capability) => can.includes(capability) }, { state }, { isOurs: () => asked });
}

describe('what the popup is told of the helper', () => {
  it.each(['browser', 'notNeeded', 'tunnel', 'intercepted'] as const)('connections as they are: %s', async (state) => {
    expect(await statusOf({ state })).toEqual({ helper: 'connected', memory: { state: 'available' }, connections: { state } });
  });

  it.each([
    ['absent', { helper: 'absent' }, 'noHelper', 'noHelper'],
    ['not there yet', { helper: 'connecting' }, 'noHelper', 'noHelper'],
    ['too old for both', { can: [] }, 'oldHelper', 'oldHelper'],
    ['too old for one', { can: ['memory'] }, null, 'oldHelper'],
  ] as const)('a helper that is %s', async (_, given, memory, connections) => {
    const status = await statusOf({ ...given, can: 'can' in given ? [...given.can] : ABLE });
    expect(status.memory).toEqual(memory === null ? { state: 'available' } : { state: 'refused', reason: memory });
    expect(status.connections).toEqual({ state: 'refused', reason: connections });
  });

  it.each([
    ['somebody else says where requests go', { isOurs: false }, 'otherProxy'],
    ['the browser does not tell', { isOurs: new Error('not here') }, 'otherProxy'],
    ['the helper did not take them', { state: 'helperRefused' }, 'helperRefused'],
    ['the browser did not obey', { state: 'browserRefused' }, 'browserRefused'],
  ] as const)('connections that can not be had: %s', async (_, given, reason) => {
    expect((await statusOf(given)).connections).toEqual({ state: 'refused', reason });
  });
});
