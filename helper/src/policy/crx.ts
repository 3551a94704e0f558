import { createPublicKey, hash, sign, type KeyObject } from 'node:crypto';
import { uint32, zip, type PackedFile } from './zip.ts';

/** Extension ids are the first 16 bytes of the SHA-256 of the public key (DER), each half-byte written as a letter from a to p. */
const ID_BYTES = 16;

/** The id that Chromium browsers give to an extension that was signed with this key. @param key private or public */
export function extensionIdOf(key: KeyObject): string {
  return keyHash(key).toString('hex').replaceAll(/./g, (digit) => String.fromCharCode('a'.charCodeAt(0) + Number.parseInt(digit, 16)));
}

function keyHash(key: KeyObject): Buffer {
  return hash('sha256', publicKeyDer(key), 'buffer').subarray(0, ID_BYTES);
}

function publicKeyDer(key: KeyObject): Buffer {
  return (key.type === 'public' ? key : createPublicKey(key)).export({ type: 'spki', format: 'der' });
}

/**
 * An extension as Chromium installs it: CRX version 3 (components/crx_file/crx3.proto and crx_file.h in Chromium).
 * The same files and key give the same bytes.
 *
 * @param key private, RSA
 */
export function packCrx(files: readonly PackedFile[], key: KeyObject): Buffer {
  const archive = zip(files);
  const signedData = field(CRX_ID_FIELD, keyHash(key));
  const toSign = Buffer.concat([Buffer.from('CRX3 SignedData\0'), uint32(signedData.length), signedData, archive]);
  const proof = Buffer.concat([field(PUBLIC_KEY_FIELD, publicKeyDer(key)), field(SIGNATURE_FIELD, sign('sha256', toSign, key))]);
  const header = Buffer.concat([field(RSA_PROOF_FIELD, proof), field(SIGNED_DATA_FIELD, signedData)]);
  return Buffer.concat([Buffer.from('Cr24'), uint32(CRX_VERSION), uint32(header.length), header, archive]);
}

const CRX_VERSION = 3;
/** Field numbers of crx3.proto: AsymmetricKeyProof, SignedData, CrxFileHeader. */
const [PUBLIC_KEY_FIELD, SIGNATURE_FIELD, CRX_ID_FIELD, RSA_PROOF_FIELD, SIGNED_DATA_FIELD] = [1, 2, 1, 2, 10_000];
/** Protocol Buffers, wire type LEN. */
const LENGTH_DELIMITED = 2;

function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([varint((number << 3) | LENGTH_DELIMITED), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    bytes.push(rest < 0x80 ? rest : (rest & 0x7f) | 0x80);
    if (rest < 0x80) return Buffer.from(bytes);
  }
}
