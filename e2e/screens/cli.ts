/** Looks at every page of the extension in every state, and makes pictures of them: `npm run screens [-- PAGE...] [-- --check]`. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runMain } from '../bench/commandLine.ts';
import { BenchError } from '../bench/errors.ts';
import { ROOT } from '../browsers/executables.ts';
import { ChromiumStage } from './chromiumStage.ts';
import { screenFindings } from './checks/screenFindings.ts';
import { FirefoxStage } from './firefoxStage.ts';
import { gallery } from './gallery.ts';
import { SCREEN_PAGES } from './pages/all.ts';
import { bytesOf, removePictures, takePictures, type PictureDirs } from './pictures.ts';
import { screensOf, type Screen, type ScreenPage } from './screenPage.ts';
import { Studio } from './studio.ts';

const DIRS: PictureDirs = { docs: path.join(ROOT, 'docs/screens'), out: path.join(ROOT, 'out/screens') };
/** Of all that is committed. */
const MAX_BYTES = 3_600_000;
const USAGE = `Usage: npm run screens [-- [PAGE...] [--check]]

  PAGE...   only of these: ${SCREEN_PAGES.map(({ name }) => name).join(', ')}
  --check   look for what is wrong, and make no pictures
`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { check: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } } });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const pages = chosenPages(positionals);
  const findings = await check(screensOf(pages));
  if (!values.check) await picture(pages);
  process.stdout.write(`${findings} findings\n`);
  return findings === 0 ? 0 : 1;
}

function chosenPages(names: readonly string[]): readonly ScreenPage[] {
  const unknown = names.find((name) => !SCREEN_PAGES.some((page) => page.name === name));
  if (unknown !== undefined) throw new BenchError('E_OPTION', `There is no page ${unknown}`, 'npm run screens -- --help lists them');
  return names.length === 0 ? SCREEN_PAGES : SCREEN_PAGES.filter(({ name }) => names.includes(name));
}

/** @returns how many findings there are; each is told */
async function check(screens: readonly Screen[]): Promise<number> {
  const studio = await Studio.open(await ChromiumStage.start());
  let count = 0;
  try {
    for (const screen of screens) {
      for (const finding of await screenFindings(studio, screen)) {
        count += 1;
        process.stdout.write(`${screen.page.name}, ${screen.state.name}: ${finding}\n`);
      }
    }
  } finally {
    await studio.close();
  }
  return count;
}

async function picture(pages: readonly ScreenPage[]): Promise<void> {
  for (const stage of [await ChromiumStage.start(), new FirefoxStage()]) {
    const studio = await Studio.open(stage);
    try {
      const isChosen = (name: string): boolean => pages.length === SCREEN_PAGES.length || pages.some((page) => name.startsWith(`${page.name}-`));
      for (const dir of Object.values(DIRS) as string[]) await removePictures(path.join(dir, stage.browser), isChosen);
      for (const screen of screensOf(pages)) await takePictures(studio, screen, DIRS);
    } finally {
      await studio.close();
    }
  }
  await writeFile(path.join(DIRS.docs, 'README.md'), gallery(SCREEN_PAGES));
  const bytes = await bytesOf(DIRS.docs);
  process.stdout.write(`pictures: ${DIRS.docs}, ${bytes} bytes; at twice the resolution: ${DIRS.out}\n`);
  if (bytes > MAX_BYTES) throw new BenchError('E_SCREEN', `docs/screens has ${bytes} bytes, more than ${MAX_BYTES}`, 'make fewer states, or smaller ones');
}

await runMain(main);
