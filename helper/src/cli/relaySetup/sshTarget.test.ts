import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSshTarget, sshTargetText, sshWords } from './sshTarget.ts';

describe('whom ssh is to call', () => {
  it.each([
    ['ssh://relay.example.com', { user: null, host: 'relay.example.com', port: null }],
    ['ssh://me@relay.example.com:2222/', { user: 'me', host: 'relay.example.com', port: 2222 }],
    ['ssh://my_server', { user: null, host: 'my_server', port: null }],
    ['ssh://root@203.0.113.7', { user: 'root', host: '203.0.113.7', port: null }],
    ['ssh://me@[2001:db8::7]:22', { user: 'me', host: '2001:db8::7', port: 22 }],
    ['ssh://[fe80::1%25eth0]', { user: null, host: 'fe80::1%eth0', port: null }],
  ])('is read of %s', (text, target) => {
    expect(parseSshTarget(text)).toEqual(target);
  });

  it.each([
    'relay.example.com', 'ssh://', 'ssh://@host', 'ssh://-oProxyCommand=id', 'ssh://-l@host', 'ssh://me@-host', 'ssh://host;id', 'ssh://$(id)@host', 'ssh://me@host`id`', 'ssh://me:password@host',
    'ssh://host:0', 'ssh://host:65536', 'ssh://host/path', "ssh://me'@host", 'ssh://me@ho st', 'ssh://me@host\n', 'ssh://%h', 'ssh://[::1;id]', 'http://host',
  ])('is nobody in %s', (text) => {
    expect(() => parseSshTarget(text)).toThrow(expect.objectContaining({ code: 'E_OPTION' }) as Error);
  });

  it('is written as it is read', () => {
    for (const text of ['ssh://me@host:22', 'ssh://[2001:db8::7]', 'ssh://[fe80::1%25eth0]:22']) expect(sshTargetText(parseSshTarget(text))).toBe(text);
  });

  it('never is an option of ssh, nor anything to a shell', () => {
    const pieces = fc.constantFrom('-', '-o', 'me', '@', 'host', ':', '22', '[', ']', '::1', '%', '%25', ' ', "'", '"', '$(id)', ';', '`', '\n', '\\', '/', '=', '.');
    fc.assert(fc.property(fc.array(pieces, { maxLength: 8 }), (made) => {
      let target;
      try {
        target = parseSshTarget(`ssh://${made.join('')}`);
      } catch {
        return;
      }
      expect(target.host).toMatch(/^[A-Za-z0-9_:][\w.:%-]*$/);
      expect(target.user ?? 'nobody').toMatch(/^\w[\w.-]*$/);
      const words = sshWords(target);
      expect(words.indexOf('--')).toBe(words.length - 2);
    }));
  });
});
