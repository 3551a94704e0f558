import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FirstscreenError, type ErrorCode } from '../errors.ts';
import { MAX_RANKS, MAX_REMEMBERED_SITES, MAX_REMOVED_URLS, MAX_SITE_HOSTS, messageIdOf, parseExtensionMessage, parseHelperMessage } from './native.ts';

const hello = { v: 1, id: 1, type: 'hello', payload: { protocols: [1], extensionVersion: '1', browser: 'chromium', capabilities: [] } };
const ping = { v: 1, id: 7, type: 'ping', payload: {} };
const rank = { url: 'https://a.example/', rankClass: 0, order: 0, pixels: null };
const ranks = { v: 1, id: 0, type: 'ranks', payload: { images: [rank] } };

function refusalOf(input: unknown): FirstscreenError {
  try {
    parseExtensionMessage(input);
  } catch (error) {
    if (error instanceof FirstscreenError) return error;
    throw error;
  }
  throw new Error('the message was taken');
}

describe('parseExtensionMessage', () => {
  it.each([hello, ping, ranks])('takes $type', (message) => {
    expect(parseExtensionMessage(message)).toEqual(message);
  });

  it.each<[string, ErrorCode, unknown]>([
    ['another version', 'E_PROTOCOL_VERSION', { ...ping, v: 2 }],
    ['another version with a type of its own', 'E_PROTOCOL_VERSION', { ...ping, v: 2, type: 'new' }],
    ['an unknown type', 'E_MESSAGE_TYPE', { ...ping, type: 'pang' }],
    ['a type of the other side', 'E_MESSAGE_TYPE', { ...ping, type: 'pong' }],
    ['no object at all', 'E_MESSAGE_SCHEMA', 'ping'],
    ['a missing version', 'E_MESSAGE_SCHEMA', { id: 1, type: 'ping', payload: {} }],
    ['a negative id', 'E_MESSAGE_SCHEMA', { ...ping, id: -1 }],
    ['an id that is no integer', 'E_MESSAGE_SCHEMA', { ...ping, id: 0.5 }],
    ['a key too many', 'E_MESSAGE_SCHEMA', { ...ping, more: 1 }],
    ['an infinite area', 'E_MESSAGE_SCHEMA', { ...ranks, payload: { images: [{ ...rank, pixels: Infinity }] } }],
    ['a URL that is too long', 'E_MESSAGE_SCHEMA', { ...ranks, payload: { images: [{ ...rank, url: `https://a.example/${'x'.repeat(9_000)}` }] } }],
    ['too many images', 'E_MESSAGE_SCHEMA', { ...ranks, payload: { images: Array.from({ length: MAX_RANKS + 1 }, () => rank) } }],
  ])('refuses %s with a code', (_case, code, input) => {
    expect(refusalOf(input).code).toBe(code);
  });

  it('says where the schema was violated', () => {
    expect(refusalOf({ ...ranks, payload: { images: [rank, { ...rank, order: 'x' }] } }).message).toContain('payload.images.1.order');
  });

  it.each([
    ['as a value', { ...ranks, payload: { images: 'https://secret.example/?q=1' } }],
    ['as a key', { ...ranks, payload: { ...ranks.payload, 'https://secret.example/?q=1': 1 } }],
    ['as a type', { ...ranks, type: 'https://secret.example/?q=1' }],
    ['as a version', { ...ranks, v: 'https://secret.example/?q=1' }],
  ])('does not repeat a URL that came %s', (_case, input) => {
    const { message, next, cause } = refusalOf(input);
    expect(JSON.stringify({ message, next, cause })).not.toContain('secret');
  });
});

describe('the border', () => {
  const envelope = fc.record(
    { v: fc.oneof(fc.constant(1), fc.jsonValue()), id: fc.oneof(fc.nat(), fc.jsonValue()), type: fc.oneof(fc.constantFrom('hello', 'ranks', 'ping', 'welcome', 'link', 'error'), fc.string()), payload: fc.jsonValue() },
    { requiredKeys: [] },
  );

  it.each([
    ['extension', parseExtensionMessage],
    ['helper', parseHelperMessage],
  ])('throws nothing but coded errors for junk from the %s', (_sender, parse) => {
    fc.assert(
      fc.property(fc.oneof(envelope, fc.jsonValue(), fc.anything()), (junk) => {
        try {
          parse(junk);
        } catch (error) {
          expect(error).toBeInstanceOf(FirstscreenError);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('finds an id for every answer', () => {
    fc.assert(fc.property(fc.anything(), (junk) => Number.isSafeInteger(messageIdOf(junk))));
    expect(messageIdOf({ id: 5, type: 'unknown' })).toBe(5);
    expect(messageIdOf({ id: 'five' })).toBe(0);
  });
});

describe('driverReport', () => {
  const good = { state: 'good', text: 'Driver protects', detail: '1 message', nextStep: null, limits: ['Not supported: RAR (too old)'] };
  const reportOf = (payload: unknown): unknown => parseHelperMessage({ v: 1, id: 3, type: 'driverReport', payload }).payload;

  it.each([good, { ...good, state: 'absent' }, { ...good, state: 'fault', nextStep: 'firstscreen-helper doctor' }])('may be %j', (payload) => expect(reportOf(payload)).toEqual(payload));

  it.each([
    ['an unknown state', { ...good, state: 'asleep' }],
    ['no text', { ...good, text: undefined }],
    ['an address beside the text', { ...good, addresses: ['192.0.2.1'] }],
    ['more than a person reads', { ...good, text: 'x'.repeat(201) }],
  ])('may not have %s', (_, payload) => expect(() => reportOf(payload)).toThrow(expect.objectContaining({ code: 'E_MESSAGE_SCHEMA' }) as Error));
});

describe('what is remembered, and who is left alone', () => {
  const taken = (type: string, payload: unknown): unknown => parseExtensionMessage({ v: 1, id: 3, type, payload }).payload;
  const fill = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

  it.each<[string, object]>([
    ['remembered', {}],
    ['forget', { site: 'www.a-b.test' }],
    ['forget', { site: '[2001:db8::1]' }],
    ['forget', { site: null }],
    ['historyRemoved', { urls: null }],
    ['historyRemoved', { urls: fill(MAX_REMOVED_URLS, 'https://a.test/') }],
    ['tunnelOnly', { hosts: [] }],
    ['closeConnections', { origin: 'https://a.test:8443' }],
    ['tunnelOnly', { hosts: fill(MAX_SITE_HOSTS, 'a_1.test') }],
    ['saveData', { inGeneral: true, on: [], off: fill(MAX_SITE_HOSTS, 'a.test') }],
  ])('%s may say %#', (type, payload) => expect(taken(type, payload)).toEqual(payload));

  it.each<[string, unknown]>([
    ['remembered', { site: 'a.test' }],
    ['forget', {}],
    ['forget', { site: '' }],
    ['forget', { site: 'https://a.test/' }],
    ['forget', { site: '.*' }],
    ['historyRemoved', { urls: [null] }],
    ['historyRemoved', { urls: fill(MAX_REMOVED_URLS + 1, 'https://a.test/') }],
    ['tunnelOnly', { hosts: null }],
    ['closeConnections', {}],
    ['closeConnections', { origin: 'https://a.test/page' }],
    ['saveData', { inGeneral: true, on: [] }],
    ['saveData', { inGeneral: false, on: ['*'], off: [] }],
    ['tunnelOnly', { hosts: ['a.test', '*.a.test'] }],
    ['tunnelOnly', { hosts: ['a.test', 'a.test:443'] }],
    ['tunnelOnly', { hosts: ['münchen.test'] }],
    ['tunnelOnly', { hosts: ['a..test'] }],
    ['tunnelOnly', { hosts: ['a'.repeat(254)] }],
    ['tunnelOnly', { hosts: fill(MAX_SITE_HOSTS + 1, 'a.test') }],
  ])('%s may not say %#', (type, payload) => expect(() => taken(type, payload)).toThrow(expect.objectContaining({ code: 'E_MESSAGE_SCHEMA' }) as Error));

  it('an answer has so many sites at most', () => {
    const answer = (count: number): unknown => parseHelperMessage({ v: 1, id: 3, type: 'rememberedSites', payload: { sites: fill(count, { site: 'a.test', pages: 1, lastDay: 20_000 }), more: 0 } });
    expect(answer(MAX_REMEMBERED_SITES)).toMatchObject({ payload: { more: 0 } });
    expect(() => answer(MAX_REMEMBERED_SITES + 1)).toThrow(expect.objectContaining({ code: 'E_MESSAGE_SCHEMA' }) as Error);
  });
});
