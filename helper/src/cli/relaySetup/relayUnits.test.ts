import { describe, expect, it } from 'vitest';
import { relayUnitFiles, type RelayUnitOptions } from './relayUnits.ts';

const OPTIONS: RelayUnitOptions = { scope: 'system', executable: '/x/firstscreen-relay', launcher: '/x/launch', directory: '/var/lib/firstscreen-relay', port: 4433, makesKey: false };
const linesOf = (change: Partial<RelayUnitOptions> = {}): string[] => relayUnitFiles({ ...OPTIONS, ...change }).flatMap(({ text }) => text.split('\n'));

describe('units of the relay', () => {
  it('have BBR of the socket, and its unsent bytes of the launcher', () => {
    expect(linesOf()).toEqual(expect.arrayContaining(['ListenStream=4433', 'TCPCongestion=bbr', 'ExecStart=/x/launch /x/firstscreen-relay serve --directory /var/lib/firstscreen-relay']));
    expect(linesOf({ launcher: null })).toContain('ExecStart=/x/firstscreen-relay serve --directory /var/lib/firstscreen-relay');
  });

  it('make a key only where nobody has made one', () => {
    expect(linesOf().filter((line) => line.startsWith('ExecStartPre'))).toEqual([]);
    expect(linesOf({ makesKey: true }).filter((line) => line.startsWith('ExecStartPre'))).toEqual(["ExecStartPre=/bin/sh -c '[ -e /var/lib/firstscreen-relay/relay.json ] || exec /x/firstscreen-relay init --listen [::]:4433 --directory /var/lib/firstscreen-relay'"]);
  });

  it('ask of a user\'s manager only what it can do', () => {
    const [user, system] = [linesOf({ scope: 'user' }), linesOf()];
    for (const line of ['DynamicUser=yes', 'ProtectSystem=strict', 'WantedBy=multi-user.target']) expect([user.includes(line), system.includes(line)]).toEqual([false, true]);
    for (const line of ['NoNewPrivileges=yes', 'MemoryMax=1G', 'OOMPolicy=continue', 'SystemCallFilter=@system-service']) expect([user.includes(line), system.includes(line)]).toEqual([true, true]);
    expect(user).toContain('WantedBy=default.target');
  });
});
