import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENCODE_FIELD, LENGTH_FIELD, LEVEL_FIELD, PUSH_FIELD, RATE_FIELD, SERVERS_FIELD } from '../../../shared/src/relay/wire.ts';
import { UNCODED } from './codingTerms.ts';
import { answerFields, asksTheSame, requestFields } from './relayedFields.ts';

describe('a request on the carrier', () => {
  it('has the fields of HTTP/2, its level, and what goes end to end', () => {
    const headers = ['Host', 'a.test', 'Accept', '*/*', 'Connection', 'keep-alive, X-Hop', 'X-Hop', '1', 'Cookie', 'a=1', 'TE', 'trailers', 'HTTP2-Settings', 'AAA'];
    expect(requestFields('GET', 'https://a.test:8443', '/p?q', headers, { level: 2, pushes: null }, UNCODED, [])).toEqual([
      ':method', 'GET', ':scheme', 'https', ':authority', 'a.test:8443', ':path', '/p?q', LEVEL_FIELD, '2', 'accept', '*/*', 'cookie', 'a=1',
    ]);
  });

  it('says what of a page may be pushed', () => {
    expect(requestFields('GET', 'https://a.test', '/', [], { level: 0, pushes: 'layout' }, UNCODED, [], { have: [], servers: 'site' }).slice(8)).toEqual([LEVEL_FIELD, '0', PUSH_FIELD, 'layout', SERVERS_FIELD, 'site']);
  });

  it.each([[1_600_123, '1600'], [1_234_567, '1200'], [57_000, '57'], [300, '1']])('with pictures that may be coded anew says how fast the link is: %i bit/s is %s', (rateBitsPerSecond, rate) => {
    expect(requestFields('GET', 'https://a.test', '/', [], { level: 0, pushes: null }, { encodings: ['images', 'zstd'], rateBitsPerSecond }, []).slice(10)).toEqual([ENCODE_FIELD, 'images, zstd', RATE_FIELD, rate]);
    expect(requestFields('GET', 'https://a.test', '/', [], { level: 0, pushes: null }, { encodings: ['zstd'], rateBitsPerSecond }, []).slice(10)).toEqual([ENCODE_FIELD, 'zstd']);
  });

  it('has nothing of these of a page', () => {
    const fields = requestFields('GET', 'http://a.test', '/', ['Firstscreen-Level', '0', 'Firstscreen-Push', 'all', 'FIRSTSCREEN-ERROR', 'E_NAME', ':path', '/other'], { level: 4, pushes: null }, UNCODED, []);
    expect(fields).toEqual([':method', 'GET', ':scheme', 'http', ':authority', 'a.test', ':path', '/', LEVEL_FIELD, '4']);
  });
});

describe('an answer', () => {
  it('is its fields as they came, without those of HTTP/2', () => {
    expect(answerFields([':status', '206', 'set-cookie', 'a=1', 'host', 'x', 'set-cookie', 'b=2', 'firstscreen-error', 'E_NAME'], null)).toEqual({ status: 206, fields: ['set-cookie', 'a=1', 'host', 'x', 'set-cookie', 'b=2'] });
  });

  it.each<[string, Parameters<typeof answerFields>[1], readonly string[]]>([
    ['that HTTP/2 sees to, where it is in no coding of the carrier', null, ['content-length', '5']],
    ['that of what is decoded', { length: 90 }, ['content-length', '90']],
    ['none, where that is not said', { length: null }, []],
  ])('has one length: %s', (_, coding, fields) => {
    expect(answerFields([':status', '200', 'content-length', '5', LENGTH_FIELD, '90'], coding).fields).toEqual(fields);
  });
});

it('keeps each field that goes end to end, in its order', () => {
  const name = fc.stringMatching(/^x-[A-Za-z]{1,8}$/);
  const value = fc.stringMatching(/^[\x21-\x7e\xa1-\xff]{0,12}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 20 }), (pairs) => {
      const fields = requestFields('GET', 'http://a.test', '/', pairs.flat(), { level: 0, pushes: null }, UNCODED, []).slice(10);
      expect(fields).toEqual(pairs.flatMap(([name, value]) => [name.toLowerCase(), value]));
    }),
  );
});

describe('two requests', () => {
  const one = [':method', 'GET', ':path', '/', 'cookie', 'a=1', 'accept', '*/*', LEVEL_FIELD, '1'];
  it('are the same at any priority', () => expect(asksTheSame(one, [...one, 'priority', 'u=2, i'])).toBe(true));
  it('are the same in any order, at any level', () => expect(asksTheSame(one, [':path', '/', ':method', 'GET', LEVEL_FIELD, '0', 'accept', '*/*', 'cookie', 'a=1'])).toBe(true));
  it.each([
    ['another cookie', one.with(5, 'a=2')],
    ['another path', one.with(3, '/b')],
    ['a field more', [...one, 'range', 'bytes=0-']],
    ['a field less', one.slice(0, 6)],
  ])('are not with %s', (_, other) => expect(asksTheSame(one, other)).toBe(false));
});
