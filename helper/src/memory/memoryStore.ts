import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { isTooOld } from '../../../shared/src/memory/ageLimit.ts';
import { dayOf } from '../../../shared/src/memory/cachedUntil.ts';
import { PageMemory } from '../../../shared/src/memory/pageMemory.ts';
import type { Expected, ExpectedObject, Known, Visit } from '../../../shared/src/memory/neededObject.ts';
import type { HelperMessageOf } from '../../../shared/src/protocol/native.ts';
import { PRIVATE_DIRECTORY_MODE, PRIVATE_FILE_MODE, readIfPresent, versionOf, writeAtomically } from '../files.ts';
import { reasonOf } from '../../../shared/src/node/reasonOf.ts';
import { forgetNetworks } from '../networks/networkStore.ts';
import { bodiesPath } from '../relay/bodyStore.ts';
import { ownDirectory, type Account } from '../userDirectories.ts';
import { rememberedSites } from './rememberedSites.ts';

/** Another helper writes each few seconds at most; after so many in a row what is erased is written over it. */
const MAX_TRIES = 10;

export function memoryPath(account: Account): string {
  return join(ownDirectory('STATE', account), 'memory.json');
}

/**
 * The memory of pages on disk. Several helpers may use one file, and the user may erase it under them: what was learnt
 * is added to the file as it is at that moment, never written over it. What one helper erases no other one writes back.
 */
export class MemoryStore {
  private readonly path: string;
  private memory = PageMemory.empty();
  private version = '';
  /** Learnt, and not in the file yet. */
  private pending: { readonly visit: Visit; readonly atMs: number }[] = [];
  /** Whether the file has what is too old. */
  private hasOld = false;

  constructor(path: string) {
    this.path = path;
  }

  /** What a visit to this page is expected to need. */
  expected(url: string): Expected {
    this.refreshIfReadable();
    const expected = this.memory.expected(url);
    return { ...expected, objects: expected.objects.filter(hasAddresses) };
  }

  /** All that this page and pages like it have needed, expected or not; of an object what comes later counts. */
  known(url: string): Known {
    this.refreshIfReadable();
    return this.memory.known(url);
  }

  /** By which address a host was reached last, for a page that is known; null for none. */
  addressOf(host: string): string | null {
    this.refreshIfReadable();
    return this.memory.addressOf(host);
  }

  /** Learns a visit; kept on disk with the next `save`. */
  visited(visit: Visit): void {
    this.refreshIfReadable();
    const atMs = Date.now();
    this.memory.visited(visit, atMs);
    this.pending.push({ visit, atMs });
  }

  /** Of which sites something is remembered. @throws FirstscreenError E_MEMORY when the file can not be read */
  sites(): HelperMessageOf<'rememberedSites'>['payload'] {
    try {
      // elsewhere one that can not be read is as it was known, but nobody is to be told so
      this.refresh();
    } catch (cause) {
      throw this.failure('read', cause);
    }
    return rememberedSites(this.memory);
  }

  /**
   * Writes what was learnt since the last time. @throws when the file can not be read or written; what was learnt stays
   * in memory
   */
  save(): void {
    for (let tries = 0; this.pending.length > 0 && tries < MAX_TRIES; tries += 1) {
      this.refresh();
      if (this.pending.length > 0 && this.write()) this.pending = [];
    }
  }

  /** Erases from the file what has become too old; where there is nothing of that it is not written. @throws as `save` */
  expire(): void {
    const nowMs = Date.now();
    const stats = statSync(this.path, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (isTooOld(dayOf(stats.mtimeMs), nowMs)) {
      // whatever version has written it
      rmSync(this.path, { force: true });
      rmSync(bodiesPath(this.path), { recursive: true, force: true });
      return;
    }
    this.refresh();
    if (this.memory.forgetOld(nowMs)) this.hasOld = true;
    // one that has changed meanwhile is looked at the next time
    if (this.hasOld) this.write();
  }

  /**
   * Erases, also under helpers that run: the file says when, and they drop what they had learnt before and not written.
   *
   * @param host of the site to forget; null for all, what is known of networks too
   * @returns how many pages were known
   * @throws FirstscreenError E_MEMORY when the file can not be written
   */
  forget(host: string | null): number {
    if (host === null) this.forgetNetworks();
    return this.erase((memory, nowMs) => (host === null ? memory.forgetAll(nowMs) : memory.forgetSite(host, nowMs)));
  }

  /** The same of single pages. @returns how many of them were known. @throws FirstscreenError E_MEMORY */
  forgetPages(urls: readonly string[]): number {
    return this.erase((memory, nowMs) => memory.forgetPages(urls, nowMs));
  }

  private forgetNetworks(): void {
    try {
      forgetNetworks(dirname(this.path));
    } catch (cause) {
      throw this.failure('erased', cause);
    }
  }

  private erase(from: (memory: PageMemory, nowMs: number) => void): number {
    try {
      for (let tries = 1; ; tries += 1) {
        this.refreshIfReadable();
        const before = this.memory.pageCount;
        from(this.memory, Date.now());
        if (this.write(tries === MAX_TRIES)) return before - this.memory.pageCount;
      }
    } catch (cause) {
      throw this.failure('erased', cause);
    } finally {
      // of whatever page: nothing in it tells, and what is erased too much comes whole once
      rmSync(bodiesPath(this.path), { recursive: true, force: true });
      this.pending = [];
    }
  }

  /** In words that a log may have: without the place, which is for whoever mends it. */
  private failure(done: 'read' | 'erased', cause: unknown): FirstscreenError {
    return new FirstscreenError('E_MEMORY', `What was learnt of pages could not be ${done} (${reasonOf(cause)}).`, `Check who owns ${this.path} and its directory, or remove it by hand.`, { cause });
  }

  /**
   * @param always also over what another helper has written meanwhile
   * @returns whether it is written: not when the file is another one now, which is then to be read first
   */
  private write(always = false): boolean {
    mkdirSync(dirname(this.path), { recursive: true, mode: PRIVATE_DIRECTORY_MODE });
    let written = '';
    const isWritten = writeAtomically(this.path, JSON.stringify(this.memory.stored()), PRIVATE_FILE_MODE, (temporary) => {
      written = versionOf(temporary);
      return always || versionOf(this.path) === this.version;
    });
    if (isWritten) [this.version, this.hasOld] = [written, false];
    return isWritten;
  }

  /** As `refresh`; a file that can not be read, as there are too many open ones, stays as it was known. */
  private refreshIfReadable(): void {
    try {
      this.refresh();
    } catch {
      // of another version than what is known, it is not written over
    }
  }

  /** Takes the file as it is now, with what was learnt here and is not in it yet. @throws when it can not be read */
  private refresh(): void {
    const version = versionOf(this.path);
    if (version === this.version) return;
    const memory = memoryOf(readIfPresent(this.path));
    [this.memory, this.version] = [memory, version];
    this.hasOld = memory.forgetOld(Date.now());
    this.pending = this.pending.filter(({ atMs }) => atMs > memory.forgottenMs);
    for (const { visit, atMs } of this.pending) memory.visited(visit, atMs);
  }
}

/** Anybody may have written the file: what has no address can not be asked for. */
function hasAddresses({ url, request: { referrer } }: ExpectedObject): boolean {
  return [url, referrer || url].every((address) => URL.canParse(address));
}

/** A file that is not ours, or broken, is worth no more than to be written anew. */
function memoryOf(text: string | null): PageMemory {
  try {
    return PageMemory.restore(JSON.parse(text ?? 'null')) ?? PageMemory.empty();
  } catch {
    return PageMemory.empty();
  }
}
