import { describe, expect, it } from 'vitest';
import { isAuthorized, makeCredentials } from './credentials.ts';

const credentials = { username: 'user', password: 'pass:word' };
const basic = (text: string, scheme = 'Basic'): string => `${scheme} ${Buffer.from(text).toString('base64')}`;

describe('credentials of the proxy', () => {
  it.each([
    ['the right ones', basic('user:pass:word'), true],
    ['the scheme in another case', basic('user:pass:word', 'BASIC'), true],
    ['a wrong password', basic('user:pass'), false],
    ['a longer one', basic('user:pass:word!'), false],
    ['another scheme', basic('user:pass:word', 'Bearer'), false],
    ['no password at all', 'Basic', false],
    ['nothing', '', false],
    ['no header', undefined, false],
  ])('%s', (_, header, expected) => expect(isAuthorized(header, credentials)).toBe(expected));

  it('each start has its own', () => {
    const [a, b] = [makeCredentials(), makeCredentials()];
    expect(a.password).not.toBe(b.password);
    expect(a.password.length).toBeGreaterThanOrEqual(40);
    expect(a.ownHost).not.toBe(b.ownHost);
    expect(a.ownHost).toMatch(/^[0-9a-f]{32}\.firstscreen\.invalid$/);
  });
});
