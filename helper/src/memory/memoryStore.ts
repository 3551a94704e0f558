import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PageMemory } from '../../../shared/src/memory/pageMemory.ts';
import type { Expected, Known, Visit } from '../../../shared/src/memory/neededObject.ts';
import { readIfPresent, writeAtomically } from '../files.ts';
import { ownDirectory, type Account } from '../userDirectories.ts';

const DIRECTORY_MODE = 0o700;
/** It tells where somebody has been. */
const FILE_MODE = 0o600;

export function memoryPath(account: Account): string {
  return join(ownDirectory('STATE', account), 'memory.json');
}

/**
 * The memory of pages on disk. Several helpers may use one file, and the user may erase it under them: what was learnt
 * is added to the file as it is at that moment, never written over it.
 */
export class MemoryStore {
  private readonly path: string;
  private memory = PageMemory.empty();
  private version = '';
  /** Learnt, and not in the file yet. */
  private pending: { readonly visit: Visit; readonly atMs: number }[] = [];

  constructor(path: string) {
    this.path = path;
  }

  /** What a visit to this page is expected to need. */
  expected(url: string): Expected {
    this.refresh();
    return this.memory.expected(url);
  }

  /** All that this page and pages like it have needed, expected or not; of an object what comes later counts. */
  known(url: string): Known {
    this.refresh();
    return this.memory.known(url);
  }

  /** Learns a visit; kept on disk with the next `save`. */
  visited(visit: Visit): void {
    this.refresh();
    const atMs = Date.now();
    this.memory.visited(visit, atMs);
    this.pending.push({ visit, atMs });
  }

  /**
   * Writes what was learnt since the last time. @throws when the file can not be written; what was learnt stays in
   * memory
   */
  save(): void {
    if (this.pending.length === 0) return;
    this.refresh();
    if (this.pending.length > 0) this.write();
    this.pending = [];
  }

  /**
   * Erases, also under helpers that run: the file says when, and they drop what they had learnt before and not written.
   *
   * @param host of the site to forget; null for all
   */
  forget(host: string | null): void {
    this.refresh();
    this.pending = [];
    if (host === null) this.memory = PageMemory.empty(Date.now());
    else this.memory.forgetSite(host, Date.now());
    this.write();
  }

  private write(): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: DIRECTORY_MODE });
    writeAtomically(this.path, JSON.stringify(this.memory.stored()), FILE_MODE);
    this.version = versionOf(this.path);
  }

  /** Takes the file as it is now, with what was learnt here and is not in it yet. */
  private refresh(): void {
    const version = versionOf(this.path);
    if (version === this.version) return;
    this.version = version;
    const memory = readMemory(this.path, Date.now());
    this.memory = memory;
    this.pending = this.pending.filter(({ atMs }) => atMs > memory.forgottenMs);
    for (const { visit, atMs } of this.pending) memory.visited(visit, atMs);
  }
}

/** A file that is not ours, or broken, is worth no more than to be written anew. */
function readMemory(path: string, nowMs: number): PageMemory {
  try {
    return PageMemory.restore(JSON.parse(readIfPresent(path) ?? 'null'), nowMs) ?? PageMemory.empty();
  } catch {
    return PageMemory.empty();
  }
}

/** Another one for each content; empty when there is no file. */
function versionOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? '' : `${stats.ino} ${stats.mtimeNs} ${stats.size}`;
}
