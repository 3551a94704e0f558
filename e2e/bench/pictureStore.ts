import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Picture } from '../analysis/pixels.ts';
import { decodePicture } from '../metrics/decode.ts';

/**
 * The final pictures of the pair under way, and the baselines' of the round before, as files: a run that is continued still
 * has them.
 */
export class PictureStore {
  readonly #directory: string;

  constructor(outDir: string) {
    this.#directory = join(outDir, 'pictures');
  }

  /** @param step page of a journey, from 0 */
  async save(page: string, run: number, label: string, step: number, png: Buffer): Promise<void> {
    await mkdir(join(this.#directory, page), { recursive: true });
    await writeFile(this.#file(page, run, label, step), png);
  }

  async read(page: string, run: number, label: string, step: number): Promise<Picture | null> {
    const png = await readFile(this.#file(page, run, label, step)).catch(() => null);
    return png && decodePicture(png);
  }

  /** Removes the page's pictures but those of some loads. */
  async keepOnly(page: string, run: number, labels: readonly string[]): Promise<void> {
    const directory = join(this.#directory, page);
    const names = await readdir(directory).catch(() => []);
    await Promise.all(names.filter((name) => !labels.some((label) => name.startsWith(stem(run, label)))).map((name) => rm(join(directory, name))));
  }

  #file(page: string, run: number, label: string, step: number): string {
    return join(this.#directory, page, `${stem(run, label)}${step}.png`);
  }
}

/** Labels have no full stop. */
function stem(run: number, label: string): string {
  return `${run}-${label}.`;
}
