import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { parseOptions } from './options.ts';

describe('parseOptions', () => {
  it.each([
    [[], { command: 'help' }],
    [['--help'], { command: 'help' }],
    [['install', '-h'], { command: 'help' }],
    [['--version'], { command: 'version' }],
    [['install'], { command: 'install', browsers: [], userDataDir: null, scope: 'user', dryRun: false, json: false }],
    [['install', '--browser', 'chrome', '--browser=firefox', '--browser', 'chrome'], { browsers: ['chrome', 'firefox'] }],
    [['uninstall', '--system', '--dry-run', '--json'], { command: 'uninstall', scope: 'system', dryRun: true, json: true }],
    [['forget'], { command: 'forget', site: null }],
    [['forget', '--site', 'WWW.Example.com'], { command: 'forget', site: 'www.example.com' }],
    [['install', '--extension-id', 'abcdefghijklmnop'.repeat(2)], { extensionIds: ['abcdefghijklmnop'.repeat(2)] }],
    [['trust', '--yes'], { command: 'trust', yes: true, scope: 'user' }],
    [['untrust', '--dry-run'], { command: 'untrust', yes: false, dryRun: true }],
    [['relay', 'status'], { command: 'relay', relay: { action: 'status' } }],
    [['relay', 'remove', '--dry-run'], { command: 'relay', relay: { action: 'remove', far: null }, dryRun: true }],
    [['relay', 'remove', '--far', 'ssh://me@h:22', '--system'], { relay: { action: 'remove', far: { user: 'me', host: 'h', port: 22 } }, scope: 'system' }],
    [['relay', 'setup', 'ssh://h', '--address', '[2001:db8::1]:443', '--program', 'x'], { relay: { action: 'setup', target: { user: null, host: 'h', port: null }, address: { host: '[2001:db8::1]', port: 443 }, program: 'x' } }],
    [['relay', 'add', 'r.test:8443', 'A'.repeat(43)], { command: 'relay', relay: { action: 'add', host: 'r.test', port: 8443, fingerprint: 'A'.repeat(43) } }],
    [['relay', 'add', '[2001:db8::1]:443', `--${'a'.repeat(41)}`, '--json'], { relay: { action: 'add', host: '[2001:db8::1]', port: 443, fingerprint: `--${'a'.repeat(41)}` }, json: true }],
    [['relay', 'terminate', 'add', 'WWW.a.test'], { relay: { action: 'terminate', change: 'add', host: 'www.a.test' } }],
    [['relay', 'terminate', 'remove', 'all'], { relay: { action: 'terminate', change: 'remove', host: null } }],
    [['relay', 'terminate', 'list'], { relay: { action: 'terminate', change: 'list' } }],
    [['status'], { relay: null }],
    [['install', '--user-data-dir', '/p', '--browser', 'edge'], { browsers: ['edge'], userDataDir: '/p' }],
  ])('reads %j', (args, options) => {
    expect(parseOptions(args)).toMatchObject(options);
  });

  it.each([
    [['instal'], 'instal'],
    [['install', 'chrome'], 'chrome'],
    [['relay'], 'add, status, terminate, remove'],
    [['relay', 'terminate'], 'add HOST'],
    [['relay', 'terminate', 'add'], 'add HOST'],
    [['relay', 'terminate', 'list', 'a.test'], 'add HOST'],
    [['relay', 'terminate', 'add', 'https://a.test'], 'no name of a host'],
    [['relay', 'terminate', 'list', '--far', 'ssh://h'], '--far does not belong to "relay terminate"'],
    [['relay', 'start'], 'start'],
    [['relay', 'toString'], 'toString'],
    [['relay', 'status', 'now'], 'no further words'],
    [['relay', 'add', 'r.test:8443'], 'HOST:PORT FINGERPRINT'],
    [['relay', 'add', 'r.test', 'A'.repeat(43)], 'no HOST:PORT'],
    [['relay', 'add', 'https://r.test:1', 'A'.repeat(43)], 'no HOST:PORT'],
    [['relay', 'add', 'r.test:8443', 'A'.repeat(42)], 'no fingerprint'],
    [['relay', 'status', '--system'], 'relay status'],
    [['relay', 'setup'], 'ssh://'],
    [['relay', 'setup', 'ssh://-l@h'], 'ssh://[USER@]HOST[:PORT]'],
    [['relay', 'setup', 'ssh://h', '--address', 'h'], 'no HOST:PORT'],
    [['relay', 'remove', '--far', 'h'], 'ssh://'],
    [['install', '--browser', 'lynx'], 'lynx'],
    [['install', '--browser', 'toString'], 'toString'],
    [['install', '--browser'], '--browser'],
    [['install', '--force'], '--force'],
    [['install', '--extension-id', `${'a'.repeat(31)}q`], '32 letters'],
    [['install', '--extension-id', 'a'.repeat(33)], '32 letters'],
    [['status', '--extension-id', 'a'.repeat(32)], 'install'],
    [['status', '--site', 'a.test'], 'forget'],
    [['forget', '--site', 'https://a.test/'], 'no name of a host'],
    [['install', '--yes'], 'trust'],
    [['forget', '--browser', 'firefox'], 'install, uninstall'],
    [['trust', '--system'], '--system'],
    [['untrust', '--browser', 'firefox'], '--browser'],
    [['trust', '--user-data-dir', '/p'], '--user-data-dir'],
    [['install', '--json=yes'], '--json'],
    [['install', '--system', '--user-data-dir', '/p'], '--system'],
    [['install', '--browser', 'firefox', '--user-data-dir', '/p'], 'Firefox'],
    [['install', '--user-data-dir=~/p'], 'no shell replaces'],
    [['install', '--user-data-dir='], 'takes a directory'],
    [['install', '--browser', 'edge', '--browser', 'chrome', '--user-data-dir', '/p'], 'one browser'],
  ])('refuses %j and says why', (args, reason) => {
    expect(() => parseOptions(args)).toThrow(expect.objectContaining({ code: 'E_OPTION', message: expect.stringContaining(reason) as string, next: expect.stringContaining('--help') as string }));
  });

  it('throws nothing but coded errors', () => {
    const word = fc.oneof(fc.string(), fc.constantFrom('install', '--browser', '--json', '--system', '--', '-', '--user-data-dir', '--no-json', '-hV'));
    fc.assert(
      fc.property(fc.array(word), (args) => {
        try {
          parseOptions(args);
        } catch (error) {
          expect(error).toBeInstanceOf(FirstscreenError);
        }
      }),
    );
  });
});
