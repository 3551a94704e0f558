import { LRUCache } from 'lru-cache';
import { hashOf } from '../../../shared/src/node/relay/keptBodies.ts';
import type { EncodedImage } from './encodeImage.ts';
import type { ImageType } from './imageKind.ts';

/** Of all clients; lost when the relay ends, which costs bytes and nothing else. */
const MEMORY_BYTES = 128 * 1024 * 1024;
const MAX_URLS = 20_000;
/** Of their names: a path may have all of a request's head. */
const MAX_NAME_CHARS = 16 * 1024 * 1024;
/** Of an entry beside its body. */
const ENTRY_BYTES = 300;

/** Bodies that a client was given of a server, by which later ones are coded. No other client's, and no other server's, has any effect. */
export interface ClientBodies {
  find(origin: string, hash: string): Buffer | null;
  /** What was given last of this URL. */
  latest(origin: string, path: string): string | null;
  keep(origin: string, path: string, body: Buffer): void;
  /** What a picture was encoded to before. */
  variant(origin: string, picture: Buffer): EncodedImage | null;
  encoded(origin: string, picture: Buffer, variant: EncodedImage): void;
  /** All that is here is under this name from now on: nothing, where the client's was another one. */
  keptUnder(name: string): void;
}

/** Those of all clients, in memory. */
export class BodyMemory {
  private readonly bodies: LRUCache<string, Buffer>;
  private readonly hashes = new LRUCache<string, string>({ max: MAX_URLS, maxSize: MAX_NAME_CHARS, sizeCalculation: (hash, name) => name.length + hash.length });
  /** By the hash of the picture. */
  private readonly variants = new LRUCache<string, { readonly type: ImageType; readonly hash: string }>({ max: MAX_URLS });
  /** By client: what its helper calls what is kept. */
  private readonly names = new Map<string, string>();
  /** Clients of whom something was kept under that. */
  private readonly kept = new Set<string>();

  constructor(maxBytes = MEMORY_BYTES) {
    this.bodies = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ length }) => length + ENTRY_BYTES });
  }

  /** @param client by which nobody else can name its own */
  of(client: string): ClientBodies {
    const key = (origin: string, name: string): string => `${prefixOf(client)}${origin} ${name}`;
    return {
      find: (origin, hash) => this.bodies.get(key(origin, hash)) ?? null,
      latest: (origin, path) => this.hashes.get(key(origin, path)) ?? null,
      keep: (origin, path, body) => {
        const hash = hashOf(body);
        this.kept.add(client);
        this.bodies.set(key(origin, hash), body);
        this.hashes.set(key(origin, path), hash);
      },
      variant: (origin, picture) => {
        const variant = this.variants.get(key(origin, hashOf(picture)));
        const body = variant && this.bodies.get(key(origin, variant.hash));
        return variant === undefined || body === undefined ? null : { type: variant.type, body };
      },
      encoded: (origin, picture, { type, body }) => {
        const hash = hashOf(body);
        this.kept.add(client);
        this.bodies.set(key(origin, hash), Buffer.from(body));
        this.variants.set(key(origin, hashOf(picture)), { type, hash });
      },
      keptUnder: (name) => {
        if (this.names.get(client) === name) return;
        this.names.set(client, name);
        this.forget(client);
      },
    };
  }

  /** All that is here of anybody is looked through: only where that finds something, or a client would hold all others up with new names. */
  private forget(client: string): void {
    if (!this.kept.delete(client)) return;
    const prefix = prefixOf(client);
    for (const cache of [this.bodies, this.hashes, this.variants]) for (const key of [...cache.keys()]) if (key.startsWith(prefix)) cache.delete(key);
  }
}

/** Of all keys of a client, and of no other one's: quoted, no name is the beginning of another. */
function prefixOf(client: string): string {
  return JSON.stringify(client);
}
