/** A bundle of its own, with libraries that a relay by itself does not load (`storeLibrary.ts`). */
import { GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Redis } from 'ioredis';
import { unlessAborted } from '../../../shared/src/node/unlessAborted.ts';
import type { PictureStore } from './pictureStore.ts';
import type { StoreSettings } from './storeSettings.ts';

/** So long a hint is kept from when it was last of use; pictures of the web change sooner. The bucket's own rule should say as much. */
const HINT_SECONDS = 30 * 24 * 3_600;
const HINT = 'firstscreen:picture:';
const [RETRY_MS, MAX_RETRY_MS] = [500, 30_000];
const CONNECT_MS = 2_000;
/** Connections to the store at once. */
const MAX_SOCKETS = 16;

/** Hints in Redis, pictures in an S3-compatible store. */
export function openPictureStore({ redis, s3 }: StoreSettings): PictureStore {
  // nothing waits for a connection that is not there: it fails, and the picture goes on without
  const hints = new Redis(redis, { enableOfflineQueue: false, maxRetriesPerRequest: 0, connectTimeout: CONNECT_MS, retryStrategy: (times) => Math.min(times * RETRY_MS, MAX_RETRY_MS) });
  // told by the commands that fail
  hints.on('error', () => undefined);
  const { endpoint, region, bucket: Bucket, ...credentials } = s3;
  const pictures = new S3Client({
    endpoint,
    region,
    credentials,
    forcePathStyle: true,
    maxAttempts: 1,
    // what is sealed has a checksum of its own, and not every store knows those of S3
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, httpAgent: { maxSockets: MAX_SOCKETS }, httpsAgent: { maxSockets: MAX_SOCKETS } },
  });
  return {
    has: async (name, signal) => (await unlessAborted(hints.getex(`${HINT}${name}`, 'EX', HINT_SECONDS), signal)) !== null,
    get: async (Key, maxBytes, signal) => {
      try {
        const { Body, ContentLength = Infinity } = await pictures.send(new GetObjectCommand({ Bucket, Key }), { abortSignal: signal });
        if (Body === undefined || ContentLength > maxBytes) {
          if (Body !== undefined && 'destroy' in Body) Body.destroy();
          return null;
        }
        return await unlessAborted(Body.transformToByteArray(), signal);
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    put: async (Key, bytes, signal) => {
      await pictures.send(new PutObjectCommand({ Bucket, Key, Body: bytes, ContentType: 'application/octet-stream' }), { abortSignal: signal });
      await unlessAborted(hints.set(`${HINT}${Key}`, '1', 'EX', HINT_SECONDS), signal);
    },
    close: () => {
      hints.disconnect();
      pictures.destroy();
    },
  };
}
