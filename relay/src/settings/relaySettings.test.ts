import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { newSettings, parseSettings, withClient, withoutClient, type RelaySettings } from './relaySettings.ts';

const A = 'a'.repeat(43);
const B = `-${'b'.repeat(42)}`;
const SETTINGS: RelaySettings = { version: 1, listen: '0.0.0.0:4433', clients: [{ name: 'laptop', fingerprint: A }] };
const S3 = { endpoint: 'https://s3.test', region: 'us-east-1', bucket: 'pictures', accessKeyId: 'id', secretAccessKey: 'secret' };

describe('relay.json', () => {
  it('is read as it was written', () => expect(parseSettings(JSON.stringify(SETTINGS))).toEqual(SETTINGS));
  it('may name what relays share', () => expect(parseSettings(JSON.stringify({ ...SETTINGS, store: { redis: 'rediss://:word@redis.test:6380', s3: S3 } })).store?.s3).toEqual(S3));

  it.each<[string, unknown, string]>([
    ['another version', { ...SETTINGS, version: 2 }, 'version'],
    ['no place to listen', { ...SETTINGS, listen: 'here' }, 'listen is HOST:PORT'],
    ['a fingerprint that is none', { ...SETTINGS, clients: [{ name: 'a', fingerprint: 'b' }] }, 'clients.0.fingerprint has 43 characters'],
    ['a name for a shell', { ...SETTINGS, clients: [{ name: 'a; b', fingerprint: A }] }, 'clients.0.name has letters'],
    ['a name twice', { ...SETTINGS, clients: [{ name: 'a', fingerprint: A }, { name: 'a', fingerprint: B }] }, 'clients has a name twice'],
    ['a fingerprint twice', { ...SETTINGS, clients: [{ name: 'a', fingerprint: A }, { name: 'b', fingerprint: A }] }, 'clients has a fingerprint twice'],
    ['hints elsewhere', { ...SETTINGS, store: { redis: 'http://a.test', s3: S3 } }, 'store.redis is redis://'],
    ['a store without a place', { ...SETTINGS, store: { redis: 'redis://a.test', s3: { ...S3, endpoint: 'a.test' } } }, 'store.s3.endpoint is http://'],
    ['a bucket that is a path', { ...SETTINGS, store: { redis: 'redis://a.test', s3: { ...S3, bucket: '../a' } } }, 'store.s3.bucket is a name'],
    ['something else', { ...SETTINGS, more: 1 }, 'more'],
    ['nothing', null, 'the whole'],
  ])('with %s is refused, and says where', (_, value, message) => {
    expect(() => parseSettings(JSON.stringify(value))).toThrow(expect.objectContaining({ code: 'E_RELAY_SETTINGS', message: expect.stringContaining(message) as string }) as Error);
  });

  it('is settings or a coded error, whatever text it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          parseSettings(text);
        } catch (error) {
          expect(error).toBeInstanceOf(FirstscreenError);
        }
      }),
    );
  });
});

describe('clients', () => {
  it('are added once, and taken away', () => {
    const both = withClient(SETTINGS, 'phone', B);
    expect(both.clients).toEqual([...SETTINGS.clients, { name: 'phone', fingerprint: B }]);
    expect(withClient(both, 'phone', B)).toBe(both);
    expect(withoutClient(both, 'phone')).toEqual(SETTINGS);
  });

  it.each([
    ['laptop', B, 'E_RELAY_CLIENT'],
    ['phone', A, 'E_RELAY_CLIENT'],
    ['a b', B, 'E_OPTION'],
    ['phone', 'short', 'E_OPTION'],
  ])('%s with %s is refused: %s', (name, fingerprint, code) => {
    expect(() => withClient(SETTINGS, name, fingerprint)).toThrow(expect.objectContaining({ code }) as Error);
  });

  it('that are not there can not be taken away', () => expect(() => withoutClient(SETTINGS, 'phone')).toThrow(expect.objectContaining({ code: 'E_RELAY_CLIENT' }) as Error));
});

it.each(['', 'host', 'host:0', 'host:99999', '::1:443'])('"%s" is no place to listen', (listen) => {
  expect(() => newSettings(listen)).toThrow(expect.objectContaining({ code: 'E_OPTION' }) as Error);
});
