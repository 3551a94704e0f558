import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { smallPicture } from './smallPicture.ts';
import type { Screen } from './screenPage.ts';
import { SCHEMES, type Look } from './stage.ts';
import type { Studio } from './studio.ts';

/** Of pages of text, and of those that draw. */
const [FEW_COLOURS, COLOURS] = [16, 64];

/** Where pictures go: what documents show, and what is only looked at. */
export interface PictureDirs {
  readonly docs: string;
  readonly out: string;
}

/** Light and dark, as they are and at twice the resolution; in docs/ what documents show. */
export async function takePictures(studio: Studio, screen: Screen, dirs: PictureDirs): Promise<void> {
  for (const scheme of SCHEMES) {
    for (const scale of [1, 2] as const) {
      const isDocumented = scale === 1 || (screen.state.isInReadme === true && scheme === 'light' && studio.stage.browser === 'chromium');
      const { page, picture } = await studio.show(screen, { scheme, scale });
      await page.close();
      const small = await smallPicture(picture, screen.page.isInDevtools === true ? COLOURS : FEW_COLOURS);
      await writeFile(path.join(isDocumented ? dirs.docs : dirs.out, studio.stage.browser, pictureName(screen, { scheme, scale })), small);
    }
  }
}

export function pictureName({ page, state }: Screen, { scheme, scale }: Look): string {
  return `${page.name}-${state.name}-${scheme}${scale === 1 ? '' : '@2x'}.png`;
}

/** Makes room: no picture of a state that is gone stays. @param isOf whether a picture is to be made anew, by its name */
export async function removePictures(dir: string, isOf: (name: string) => boolean): Promise<void> {
  await mkdir(dir, { recursive: true });
  for (const name of await readdir(dir)) if (isOf(name)) await rm(path.join(dir, name));
}

export async function bytesOf(dir: string): Promise<number> {
  const names = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const sizes = await Promise.all(names.map(async ({ parentPath, name }) => (await stat(path.join(parentPath, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
