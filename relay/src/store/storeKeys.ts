import { createCipheriv, createDecipheriv, createHmac, createPrivateKey, hkdfSync, randomBytes } from 'node:crypto';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { hashOf } from '../../../shared/src/node/relay/keptBodies.ts';
import { CODING_TERMS, type EncodedImage } from '../encoding/encodeImage.ts';
import { IMAGE_TYPES } from '../encoding/imageKind.ts';
import type { PublicAnswer } from './publicAnswer.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/** RFC 5116, section 5.3: by chance, which is safe for 2^32 pictures of one key (NIST SP 800-38D, section 8.3). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** In front of what is sealed: its place in IMAGE_TYPES. */
const TYPE_BYTES = 1;
/** Of what is stored, beside the picture. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES + TYPE_BYTES;

/**
 * What the relays of one key have in common, and nobody else: a store sees names without a meaning, and can neither read a picture nor put another one in its place.
 */
export class StoreKeys {
  private readonly nameKey: Buffer;
  private readonly bodyKey: Buffer;

  /** @param keyPem the relays' private key, from which those of the store follow (HKDF, RFC 5869) @throws FirstscreenError E_RELAY_SETTINGS where it is none */
  constructor(keyPem: string) {
    const secret = secretOf(keyPem);
    const derived = Buffer.from(hkdfSync('sha256', secret, '', 'firstscreen-relay store 1', 2 * KEY_BYTES));
    [this.nameKey, this.bodyKey] = [derived.subarray(0, KEY_BYTES), derived.subarray(KEY_BYTES)];
  }

  /** By what a picture's smaller form is found: who has the picture itself, of this server, on a page of this origin, and wants it coded just so. */
  nameOf({ page, origin }: PublicAnswer, picture: Uint8Array): string {
    return createHmac('sha256', this.nameKey).update(JSON.stringify([page, origin, hashOf(picture), CODING_TERMS])).digest('base64url');
  }

  seal(name: string, { type, body }: EncodedImage): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.bodyKey, nonce).setAAD(Buffer.from(name));
    const sealed = [cipher.update(Buffer.of(IMAGE_TYPES.indexOf(type))), cipher.update(body), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
  }

  /** @returns null for all that was not sealed under this name with this key */
  open(name: string, stored: Uint8Array): EncodedImage | null {
    if (stored.length <= SEAL_BYTES) return null;
    const [nonce, tag, sealed] = [stored.subarray(0, NONCE_BYTES), stored.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES), stored.subarray(NONCE_BYTES + TAG_BYTES)];
    const decipher = createDecipheriv(CIPHER, this.bodyKey, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(name)).setAuthTag(tag);
    try {
      const opened = Buffer.concat([decipher.update(sealed), decipher.final()]);
      const type = IMAGE_TYPES[opened[0] ?? IMAGE_TYPES.length];
      return type === undefined ? null : { type, body: opened.subarray(TYPE_BYTES) };
    } catch {
      return null;
    }
  }
}

function secretOf(keyPem: string): Buffer {
  try {
    return createPrivateKey(keyPem).export({ type: 'pkcs8', format: 'der' });
  } catch (cause) {
    throw new FirstscreenError('E_RELAY_SETTINGS', 'key.pem is no key.', 'Make another directory with "firstscreen-relay init".', { cause });
  }
}
