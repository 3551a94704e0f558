import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IMAGE_TYPES } from '../encoding/imageKind.ts';
import { SEAL_BYTES, StoreKeys } from './storeKeys.ts';

const PAGE = { page: 'https://page.test', origin: 'https://img.test' };
const NAME = 'a name';
const keyPem = (): string => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const OWN = keyPem();
const keys = new StoreKeys(OWN);
const picture = fc.record({ type: fc.constantFrom(...IMAGE_TYPES), body: fc.uint8Array({ minLength: 1, maxLength: 2_000 }) });

describe('what is sealed', () => {
  it('is opened as it was by every relay of the key, and takes little more room', () => {
    fc.assert(fc.property(picture, ({ type, body }) => {
      const stored = keys.seal(NAME, { type, body });
      const opened = new StoreKeys(OWN).open(NAME, stored);
      expect([opened?.type, Buffer.from(opened?.body ?? []).equals(body), stored.length]).toEqual([type, true, body.length + SEAL_BYTES]);
    }));
  });

  it('is nothing when any of it is another, or missing, or it stands under another name, or the key is', () => {
    const other = new StoreKeys(keyPem());
    fc.assert(fc.property(picture, fc.nat(), fc.integer({ min: 1, max: 255 }), (encoded, place, change) => {
      const stored = keys.seal(NAME, encoded);
      const changed = Buffer.from(stored);
      changed[place % stored.length] = (changed[place % stored.length] ?? 0) ^ change;
      expect([keys.open(NAME, changed), keys.open(NAME, stored.subarray(0, place % stored.length)), keys.open('another', stored), other.open(NAME, stored)]).toEqual([null, null, null, null]);
    }));
  });
});

describe('a name', () => {
  const body = Buffer.from('picture');
  it('is the same for every relay of the key', () => expect(new StoreKeys(OWN).nameOf(PAGE, body)).toBe(keys.nameOf(PAGE, body)));

  it('is another one for another page, server, picture or key', () => {
    const names = [
      keys.nameOf(PAGE, body), keys.nameOf({ ...PAGE, page: 'https://b.test' }, body), keys.nameOf({ ...PAGE, origin: 'http://img.test' }, body), keys.nameOf(PAGE, Buffer.from('another')),
      new StoreKeys(keyPem()).nameOf(PAGE, body),
    ];
    expect(new Set(names).size).toBe(names.length);
  });
});

it('of what is no key there are none', () => expect(() => new StoreKeys('no key')).toThrow(expect.objectContaining({ code: 'E_RELAY_SETTINGS' })));
