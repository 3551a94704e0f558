import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Picture } from '../analysis/pixels.ts';
import { decodePicture } from '../metrics/decode.ts';

/**
 * The final pictures of the pair under way, and stock's of the round before, as files: a run that is continued still
 * has them.
 */
export class PictureStore {
  readonly #directory: string;

  constructor(outDir: string) {
    this.#directory = join(outDir, 'pictures');
  }

  async save(page: string, run: number, label: string, png: Buffer): Promise<void> {
    await mkdir(join(this.#directory, page), { recursive: true });
    await writeFile(this.#file(page, run, label), png);
  }

  async read(page: string, run: number, label: string): Promise<Picture | null> {
    const png = await readFile(this.#file(page, run, label)).catch(() => null);
    return png && decodePicture(png);
  }

  /** Removes the page's pictures but one. */
  async keepOnly(page: string, run: number, label: string): Promise<void> {
    const directory = join(this.#directory, page);
    const names = await readdir(directory).catch(() => []);
    await Promise.all(names.filter((name) => name !== fileName(run, label)).map((name) => rm(join(directory, name))));
  }

  #file(page: string, run: number, label: string): string {
    return join(this.#directory, page, fileName(run, label));
  }
}

function fileName(run: number, label: string): string {
  return `${run}-${label}.png`;
}
