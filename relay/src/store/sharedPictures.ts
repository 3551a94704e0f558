import type { LogSink } from '../../../shared/src/log.ts';
import { reasonOf } from '../../../shared/src/node/reasonOf.ts';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import type { EncodedImage } from '../encoding/encodeImage.ts';
import type { HeldImageHost } from '../encoding/heldImage.ts';
import { MAX_IMAGE_BYTES } from '../encoding/imageAnswers.ts';
import type { RequestHead } from '../requests/requestHead.ts';
import type { PictureStore } from './pictureStore.ts';
import { publicAnswer, type PublicAnswer } from './publicAnswer.ts';
import { SEAL_BYTES, type StoreKeys } from './storeKeys.ts';

type Encode = HeldImageHost['encode'];

export interface SharedPicturesOptions {
  readonly keys: StoreKeys;
  readonly log: LogSink;
  readonly limits?: StoreLimits;
}

/** How long a store may take, in milliseconds. */
export interface StoreLimits {
  readonly hintMs: number;
  readonly pictureMs: number;
  readonly putMs: number;
}

/** A hint takes less than a millisecond where Redis is near, and one that takes long costs every picture that is in no store. Encoding a picture takes about as long as one may come from there. */
const STORE_LIMITS: StoreLimits = { hintMs: 20, pictureMs: 100, putMs: 5_000 };
/** So often in a row it fails until it is left alone, for so long. */
const MAX_FAILURES = 3;
const REST_MS = 30_000;
/** On their way into the store at once; what is beyond is another relay's to bring, or a later picture's. */
const MAX_PUTS = 8;

/** Smaller forms of public pictures, which relays of one key make for each other. A store that is not there, slow or wrong costs nothing: pictures are encoded as without one. */
export class SharedPictures {
  private readonly store: PictureStore;
  private readonly options: SharedPicturesOptions;
  private readonly limits: StoreLimits;
  /** Of the clock of `performance`; until then nobody asks. */
  private restsUntilMs = 0;
  /** Since it has answered last. */
  private failures = 0;
  private puts = 0;

  constructor(store: PictureStore, options: SharedPicturesOptions) {
    [this.store, this.options, this.limits] = [store, options, options.limits ?? STORE_LIMITS];
  }

  /** What encodes a picture of this answer: where it is the same for everybody, what was made of it before is not made again. */
  encoderFor(own: Encode, request: Pick<RequestHead, 'method' | 'origin' | 'fields'>, status: number, fields: RawHeaders): Encode {
    const answer = publicAnswer(request, status, fields);
    return answer === null ? own : this.before(own, answer);
  }

  close(): void {
    this.store.close();
  }

  private before(own: Encode, answer: PublicAnswer): Encode {
    return async (job, level, signal) => {
      const name = this.options.keys.nameOf(answer, job.bytes);
      const beganMs = performance.now();
      const found = await this.find(name, job.limitMs, signal);
      if (found !== null && job.types.includes(found.type)) return found;
      const encoded = await own({ ...job, limitMs: job.limitMs - (performance.now() - beganMs) }, level, signal);
      if (encoded !== null && found === null) void this.keep(name, encoded);
      return encoded;
    };
  }

  /** @param limitMs in which it is of any use */
  private async find(name: string, limitMs: number, signal: AbortSignal): Promise<EncodedImage | null> {
    if (this.isResting) return null;
    const useless = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(Math.max(0, limitMs)))]);
    const within = (ms: number): AbortSignal => AbortSignal.any([useless, AbortSignal.timeout(ms)]);
    try {
      const stored = (await this.store.has(name, within(this.limits.hintMs))) ? await this.store.get(name, MAX_IMAGE_BYTES + SEAL_BYTES, within(this.limits.pictureMs)) : null;
      this.answered();
      return stored && this.opened(name, stored);
    } catch (error) {
      // of what was given up before its time nothing is learnt
      if (!useless.aborted) this.failed(error);
      return null;
    }
  }

  private opened(name: string, stored: Uint8Array): EncodedImage | null {
    const found = this.options.keys.open(name, stored);
    if (found === null) this.options.log({ level: 'warn', scope: 'store', message: 'a picture of the store is refused', fields: { code: 'E_RELAY_STORE' } });
    return found;
  }

  private async keep(name: string, encoded: EncodedImage): Promise<void> {
    if (this.isResting || this.puts >= MAX_PUTS) return;
    this.puts += 1;
    try {
      await this.store.put(name, this.options.keys.seal(name, encoded), AbortSignal.timeout(this.limits.putMs));
      this.answered();
    } catch (error) {
      this.failed(error);
    } finally {
      this.puts -= 1;
    }
  }

  private get isResting(): boolean {
    return performance.now() < this.restsUntilMs;
  }

  private answered(): void {
    if (this.failures >= MAX_FAILURES) this.options.log({ level: 'info', scope: 'store', message: 'the store is there again' });
    this.failures = 0;
  }

  private failed(error: unknown): void {
    this.failures += 1;
    if (this.failures < MAX_FAILURES) return;
    this.restsUntilMs = performance.now() + REST_MS;
    if (this.failures === MAX_FAILURES) this.options.log({ level: 'warn', scope: 'store', message: 'the store is not there', fields: { code: 'E_RELAY_STORE', reason: reasonOf(error) } });
  }
}
