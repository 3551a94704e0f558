import { describe, expect, it } from 'vitest';
import { parseProxySettings, userOf, withPlace, withUser, withoutUser, type ProxyPlace } from './proxySettings.ts';

const PLACE: ProxyPlace = { listen: '[::]:8443', address: 'relay.example.com:8443', certificate: '/x/fullchain.pem', key: '/x/privkey.pem' };
const basic = (user: string, token: string): string => `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`;
const coded = (code: string): unknown => expect.objectContaining({ code });

describe('users of the proxy', () => {
  const { settings, token } = withUser(withPlace(null, PLACE), 'phone');

  it('are known by a token that the settings do not hold, and by nothing else', () => {
    expect(JSON.stringify(settings)).not.toContain(token);
    expect(userOf(settings, basic('phone', token))).toBe('phone');
    for (const wrong of ['', 'Basic', `Bearer ${token}`, basic('phone', ''), basic('', token), basic('laptop', token), basic('phone', `${token}x`), basic('phone', settings.users[0]!.hash), basic('__proto__', '')]) expect(userOf(settings, wrong), wrong).toBeNull();
  });

  it('are of no use with the token before, and not any more once it is taken back', () => {
    const again = withUser(settings, 'phone');
    expect([again.settings.users.length, userOf(again.settings, basic('phone', token)), userOf(again.settings, basic('phone', again.token))]).toEqual([1, null, 'phone']);
    expect(userOf(withoutUser(settings, 'phone'), basic('phone', token))).toBeNull();
    expect(() => withoutUser(settings, 'laptop')).toThrow(coded('E_RELAY_CLIENT'));
    expect(() => withUser(settings, 'a:b')).toThrow(coded('E_OPTION'));
  });

  it('stay when the proxy is somewhere else', () => {
    expect(withPlace(settings, { ...PLACE, address: 'b.example.com:443' })).toEqual({ ...settings, address: 'b.example.com:443' });
    expect(parseProxySettings(JSON.stringify(settings))).toEqual(settings);
  });
});

it.each<Partial<ProxyPlace>>([{ address: 'relay.example.com' }, { address: 'localhost:8443' }, { address: 'Relay.example.com:8443' }, { listen: '8443' }, { key: 'privkey.pem' }])('is written wrongly: %j', (change) => {
  expect(() => withPlace(null, { ...PLACE, ...change })).toThrow(coded('E_OPTION'));
});

it.each(['', '{}', '{"version":1}', '{"version":2}'])('"%s" are no settings', (text) => {
  expect(() => parseProxySettings(text)).toThrow(coded('E_RELAY_SETTINGS'));
});
