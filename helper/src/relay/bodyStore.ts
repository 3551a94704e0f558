import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { DAY_MS } from '../../../shared/src/memory/cachedUntil.ts';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { originOf } from '../../../shared/src/page/origin.ts';
import { HASH_PATTERN, HAVE_CHARS, MAX_HAVE } from '../../../shared/src/relay/wire.ts';
import { hashOf } from '../../../shared/src/node/relay/keptBodies.ts';
import { PRIVATE_DIRECTORY_MODE, PRIVATE_FILE_MODE } from '../files.ts';

/** A body that this end has. */
export interface OwnBody {
  readonly hash: string;
  readonly body: Buffer;
}

/** Former bodies of this end, by requests. */
export interface FormerBodies {
  /** By which the answer to this request may be coded. */
  find(url: string, request: RawHeaders): OwnBody[];
  /** Of a page: beginnings of the hashes of what it has needed of its own server. */
  have(page: string): readonly string[];
  received(url: string, request: RawHeaders, body: Buffer): void;
  /** What all that is kept is called, at both ends: another name by chance once it was erased, by whomever. Null where it can not be kept. */
  name(): string | null;
}

/** Which body, and whose (`partitionOf`). */
export interface BodyPlace {
  readonly partition: string;
  readonly url: string;
}

const MAX_DISK_BYTES = 64 * 1024 * 1024;
/** What has come and is of no visit that is told of yet, or of one in a private window. */
const MAX_PENDING_BYTES = 32 * 1024 * 1024;
const PENDING_MS = 5 * 60_000;
/** File with the name of all that is kept, which is erased with it. */
const NAME_FILE = 'name';
const NAME_BYTES = 32;
const MAX_AGE_MS = 30 * DAY_MS;

/** Beside the memory of pages, with which it is erased. */
export function bodiesPath(memoryFile: string): string {
  return join(dirname(memoryFile), 'bodies');
}

/**
 * Bodies of former answers, by which a relay that has them, too, codes later ones. On disk is only what is of visits that are remembered, a file each, whose name tells nothing. A body is found by
 * partition and URL; a page also by those of pages like it. As what is remembered of pages it is the user's, of whatever profile of a browser.
 */
export class BodyStore {
  private readonly directory: string;
  private readonly maxBytes: number;
  private readonly pending = new LRUCache<string, Buffer>({ maxSize: MAX_PENDING_BYTES, sizeCalculation: ({ length }) => length + 1, ttl: PENDING_MS });
  /** One at a time. */
  private writing: Promise<void> = Promise.resolve();

  constructor(directory: string, maxBytes = MAX_DISK_BYTES) {
    [this.directory, this.maxBytes] = [directory, maxBytes];
  }

  /** @returns the best first: of this URL, then of the last page like it */
  find(place: BodyPlace, isDocument: boolean): OwnBody[] {
    const paths = [this.pathOf(place), ...(isDocument ? [this.pathOf(alike(place))] : [])];
    const found = paths.flatMap((path): OwnBody[] => {
      const body = read(path);
      return body === null ? [] : [{ hash: hashOf(body), body }];
    });
    return found.filter(({ hash }, i) => found.findIndex((other) => other.hash === hash) === i);
  }

  /** Of a page: beginnings of the hashes of what was kept with it, of its own server. */
  objects(page: BodyPlace): string[] {
    return read(this.pathOf(objectsOf(page)))?.toString('latin1').split(' ').filter((hash) => hash !== '') ?? [];
  }

  /** As `FormerBodies.name`. */
  name(): string | null {
    const path = join(this.directory, NAME_FILE);
    const there = read(path)?.toString('latin1') ?? '';
    if (HASH_PATTERN.test(there)) return there;
    const name = randomBytes(NAME_BYTES).toString('base64url');
    try {
      mkdirSync(this.directory, { recursive: true, mode: PRIVATE_DIRECTORY_MODE });
      // another helper may write one, too: each that differs costs bytes and nothing else
      writeFileSync(path, name, { mode: PRIVATE_FILE_MODE });
    } catch {
      return null;
    }
    return name;
  }

  /** All that was kept is erased: what has come goes as well. */
  erased(): void {
    this.pending.clear();
  }

  /** A body has come; kept when it is said to be of a visit. */
  received(place: BodyPlace, body: Buffer): void {
    this.pending.set(this.pathOf(place), body);
  }

  /** A visit is remembered, whose page is the first of these. @returns settles when it is on disk, or can not be */
  keep(places: readonly BodyPlace[]): Promise<void> {
    const bodies = places.flatMap((place, i) => {
      const path = this.pathOf(place);
      const body = this.pending.get(path);
      this.pending.delete(path);
      if (body === undefined) return [];
      return i === 0 ? [{ path, body }, { path: this.pathOf(alike(place)), body }] : [{ path, body }];
    });
    this.writing = this.writing.then(async () => {
      for (const { path, body } of bodies) await this.write(path, body);
      if (bodies.length === 0) return;
      await this.list(places);
      await this.trim();
      // without it answers come whole, as on a first visit
    }).catch(() => undefined);
    return this.writing;
  }

  private pathOf({ partition, url }: BodyPlace): string {
    return join(this.directory, createHash('sha256').update(JSON.stringify([partition, url])).digest('base64url'));
  }

  private async write(path: string, body: Buffer): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: PRIVATE_DIRECTORY_MODE });
    const temporary = `${path}.${process.pid}.tmp`;
    await rm(temporary, { force: true });
    const file = await open(temporary, 'wx', PRIVATE_FILE_MODE);
    try {
      await file.writeFile(body);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  }

  /** What the page has had from its own server, then or before. */
  private async list([page, ...objects]: readonly BodyPlace[]): Promise<void> {
    if (page === undefined) return;
    const own = objects.filter(({ partition, url }) => partition === page.partition && originOf(url) === page.partition).slice(0, MAX_HAVE);
    const bodies = await Promise.all(own.map((place) => readFile(this.pathOf(place)).catch(() => null)));
    const hashes = bodies.flatMap((body) => (body === null ? [] : [hashOf(body).slice(0, HAVE_CHARS)]));
    await this.write(this.pathOf(objectsOf(page)), Buffer.from(hashes.join(' ')));
  }

  /** The oldest go, and what crashes have left. */
  private async trim(): Promise<void> {
    const names = (await readdir(this.directory)).filter((name) => name !== NAME_FILE);
    const files = await Promise.all(names.map(async (name) => {
      const path = join(this.directory, name);
      const { size, mtimeMs } = await stat(path);
      return { path, size, mtimeMs };
    }));
    let left = this.maxBytes;
    for (const { path, size, mtimeMs } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
      left -= size;
      if (left < 0 || Date.now() - mtimeMs > MAX_AGE_MS) await rm(path, { force: true });
    }
  }
}

function objectsOf({ partition, url }: BodyPlace): BodyPlace {
  return { partition, url: `objects ${url}` };
}

/** Pages of one template are likely to differ by numbers and by their last word (A3's templates). */
function alike({ partition, url }: BodyPlace): BodyPlace {
  const { origin, pathname } = new URL(url);
  return { partition, url: `like ${origin}${pathname.replace(/[^/]*$/, '').replaceAll(/\d+/g, '0')}` };
}

function read(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
