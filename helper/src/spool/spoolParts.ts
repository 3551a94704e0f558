import { SpoolFile } from './spoolFile.ts';

/** Behind which the next part begins: so much of a disk is held at the most that nobody needs any more. */
const PART_BYTES = 16 * 1024 * 1024;

/** One file of a body. */
interface Part {
  readonly file: Promise<SpoolFile>;
  /** Behind its last place. */
  bytes: number;
  /** Places that are needed, and writes that are under way. */
  users: number;
  readonly closed: PromiseWithResolvers<void>;
}

/** A place on the disk for some bytes. */
export interface SpoolPart {
  write(bytes: Uint8Array): Promise<void>;
  /** @throws where they can not be read any more */
  read(): Promise<Buffer>;
  /** They are needed no more; once. */
  leave(): void;
}

/** What one body has on the disk, file by file: each is closed with the last place in it that is needed, as a body whose reader never catches up would have one file grow with all that has passed. */
export class SpoolParts {
  private readonly directory: string;
  private readonly parts = new Set<Part>();
  /** Where the next place is; null for a new one. */
  private last: Part | null = null;

  constructor(directory: string) {
    this.directory = directory;
  }

  place(length: number): SpoolPart {
    const part = this.withRoom();
    const offset = part.bytes;
    part.bytes += length;
    part.users += 1;
    return {
      write: async (bytes) => {
        part.users += 1;
        try {
          await (await part.file).write(bytes, offset);
        } finally {
          this.leave(part);
        }
      },
      read: async () => (await part.file).read(offset, length),
      leave: () => this.leave(part),
    };
  }

  /** Resolves when all that is left is closed. */
  async closed(): Promise<void> {
    await Promise.all(Array.from(this.parts, ({ closed }) => closed.promise));
  }

  private withRoom(): Part {
    if (this.last === null || this.last.bytes >= PART_BYTES) {
      this.last = { file: SpoolFile.open(this.directory), bytes: 0, users: 0, closed: Promise.withResolvers() };
      this.parts.add(this.last);
    }
    return this.last;
  }

  private leave(part: Part): void {
    part.users -= 1;
    if (part.users > 0) return;
    if (part === this.last) this.last = null;
    void this.end(part);
  }

  private async end(part: Part): Promise<void> {
    // one that could not be made was told to who wrote
    await part.file.then((file) => file.close()).catch(() => undefined);
    this.parts.delete(part);
    part.closed.resolve();
  }
}
