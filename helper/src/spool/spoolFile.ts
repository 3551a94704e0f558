import { createCipheriv, randomBytes, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_DIRECTORY_MODE, PRIVATE_FILE_MODE } from '../files.ts';
import { ownDirectory, type Account } from '../userDirectories.ts';

const SUFFIX = '.spool';
const CIPHER = 'aes-256-ctr';
const KEY_BYTES = 32;
const BLOCK_BYTES = 16;

/** Where spools are kept: in the user's cache, as the runtime directory is memory on most machines. */
export function spoolPath(account: Account): string {
  return join(ownDirectory('CACHE', account), 'spool');
}

/**
 * A file for the bytes of one spool. It has no name from its first moment on: it goes with the process, whatever ends
 * that. What a disk keeps all the same can not be read: bytes are encrypted with a key of this file
 * that is in memory alone.
 */
export class SpoolFile {
  private readonly handle: FileHandle;
  private readonly key = randomBytes(KEY_BYTES);

  private constructor(handle: FileHandle) {
    this.handle = handle;
  }

  static async open(directory: string): Promise<SpoolFile> {
    await mkdir(directory, { recursive: true, mode: PRIVATE_DIRECTORY_MODE });
    const path = join(directory, `${randomUUID()}${SUFFIX}`);
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, PRIVATE_FILE_MODE);
    // a helper that starts meanwhile may have swept it
    await rm(path, { force: true });
    return new SpoolFile(handle);
  }

  async write(plain: Uint8Array, offset: number): Promise<void> {
    const chunk = this.crypt(plain, offset);
    for (let written = 0; written < chunk.length; ) {
      const { bytesWritten } = await this.handle.write(chunk, written, chunk.length - written, offset + written);
      written += bytesWritten;
    }
  }

  /** @throws when the file is shorter: somebody else has cut it */
  async read(offset: number, length: number): Promise<Buffer> {
    const chunk = Buffer.allocUnsafe(length);
    for (let got = 0; got < length; ) {
      const { bytesRead } = await this.handle.read(chunk, got, length - got, offset + got);
      if (bytesRead === 0) throw new Error('the spool file is shorter than what was written');
      got += bytesRead;
    }
    return this.crypt(chunk, offset);
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  /** Either way, anywhere in the file: the counter of the mode is the place (NIST SP 800-38A, section 6.5). */
  private crypt(bytes: Uint8Array, offset: number): Buffer {
    const counter = Buffer.alloc(BLOCK_BYTES);
    counter.writeBigUInt64BE(BigInt(Math.floor(offset / BLOCK_BYTES)), BLOCK_BYTES / 2);
    const cipher = createCipheriv(CIPHER, this.key, counter);
    cipher.update(Buffer.alloc(offset % BLOCK_BYTES));
    return cipher.update(bytes);
  }
}

/** Removes what a process left that was killed between making a file and taking its name away. */
export async function sweepSpools(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  await Promise.all(names.filter((name) => name.endsWith(SUFFIX)).map((name) => rm(join(directory, name), { force: true })));
}
