import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXTENSIONS } from '../browsers/executables.ts';
import { ChromiumStage } from './chromiumStage.ts';
import { screenFindings } from './checks/screenFindings.ts';
import { FirefoxStage } from './firefoxStage.ts';
import { SCREEN_PAGES } from './pages/all.ts';
import { screensOf, type Screen, type ScreenPage } from './screenPage.ts';
import type { Look } from './stage.ts';
import { Studio } from './studio.ts';

/** What makes the panel; nobody sees it. */
const UNSEEN = ['devtools.html'];
const LOOK: Look = { scheme: 'light', scale: 1 };
const STATED = SCREEN_PAGES.flatMap(({ name, states: [state] }) => ({ name, state: state.name }));

function screenOf(name: string): Screen {
  const [screen] = screensOf(SCREEN_PAGES.filter((page) => page.name === name));
  if (screen === undefined) throw new Error(`there is no page ${name}`);
  return screen;
}

describe('the pages of the extension', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.open(await ChromiumStage.start());
  });
  afterAll(() => studio.close());

  it('each have an entry in pages/all.ts', async () => {
    const files = (await readdir(path.join(EXTENSIONS, 'chromium'))).filter((name) => name.endsWith('.html') && !UNSEEN.includes(name));
    expect(SCREEN_PAGES.map(({ name }) => `${name}.html`).sort()).toEqual(files.sort());
  });

  it.each(STATED)('$name, $state: can be used by everybody, and in every language', async ({ name }) => {
    expect(await screenFindings(studio, screenOf(name))).toEqual([]);
  });
});

it('Firefox shows them, light and dark', async () => {
  const studio = await Studio.open(new FirefoxStage());
  try {
    for (const { name } of STATED) {
      const grounds = [];
      for (const scheme of ['light', 'dark'] as const) {
        const { page } = await studio.show(screenOf(name), { scheme, scale: 1 });
        grounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor, null));
        await page.close();
      }
      expect([name, ...grounds]).toEqual([name, 'rgb(255, 255, 255)', 'rgb(22, 27, 33)']);
    }
  } finally {
    await studio.close();
  }
});

describe('the checks', () => {
  const STYLE = 'body { margin: 0; background: #fff } .pale { color: #bbb } .narrow { width: 40px; overflow: hidden; white-space: nowrap } .left { width: 20px; margin-left: 50px }';
  const WRONG = [
    ['<p class="pale" data-text></p>', /light: color-contrast: \.pale/],
    ['<button></button>', /dark: button-name: button/],
    ['<p id="late" role="status" hidden></p>', /light: not there before it says something: #late/],
    ['<p>Literal words</p>', /ltr: not in _locales: Literal words/],
    ['<p title="Some title">1</p>', /rtl: not in _locales: Some title/],
    ['<p class="narrow" data-text></p>', /cut off: <p> ⟦Á ţéẋţ/],
    ['<p style="width:500px" data-text></p>', /cut off: the page, at the side of the window/],
    ['<div class="left">1</div>', /not mirrored: <div class=left>/],
  ] as const;
  const BAD: ScreenPage = { name: 'bad', width: 400, height: 'whole', states: [{ name: 'bad', shows: 'A text', world: { storage: { host: 'known.example' } } }] };
  let dir: string;
  let studio: Studio;

  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'firstscreen-screens-'));
    await mkdir(path.join(dir, '_locales/en'), { recursive: true });
    await writeFile(path.join(dir, 'manifest.json'), '{"version":"1.0.0"}');
    await writeFile(path.join(dir, '_locales/en/messages.json'), '{"text":{"message":"A text"}}');
    await writeFile(path.join(dir, 'bad.css'), STYLE);
    await writeFile(path.join(dir, 'bad.js'), 'document.documentElement.dir = chrome.i18n.getMessage("@@bidi_dir"); for (const each of document.querySelectorAll("[data-text]")) each.textContent = chrome.i18n.getMessage("text"); document.body.dataset.ready = "";');
    studio = await Studio.open(await ChromiumStage.start(), dir);
  });
  afterAll(async () => {
    await studio.close();
    await rm(dir, { recursive: true });
  });

  const write = (body: string): Promise<void> =>
    writeFile(path.join(dir, 'bad.html'), `<!doctype html><html lang="en"><head><title>Firstscreen</title><link rel="stylesheet" href="bad.css"></head><body><main><h1 data-text></h1>${body}</main><script src="bad.js"></script></body></html>`);

  async function findingsOf(body: string): Promise<string> {
    await write(body);
    const [screen] = screensOf([BAD]);
    return screen === undefined ? '' : (await screenFindings(studio, screen)).join('\n');
  }

  it('find nothing where nothing is wrong', async () => expect(await findingsOf('<p>known.example</p>')).toBe(''));

  it('find each thing that is wrong', async () => {
    const found = await findingsOf(WRONG.map(([body]) => body).join(''));
    for (const [, finding] of WRONG) expect(found).toMatch(finding);
  });

  it('refuse a state that is not reached, and a page that fails', async () => {
    await write('');
    await expect(studio.show({ page: BAD, state: { name: 'other', shows: 'Another text' } }, LOOK)).rejects.toThrow('does not show "Another text"');
    await writeFile(path.join(dir, 'bad.js'), 'document.body.dataset.ready = ""; document.body.append("A text"); chrome.tabs.nothing();');
    const [screen] = screensOf([BAD]);
    await expect(screen && studio.show(screen, LOOK)).rejects.toThrow('chrome.tabs.nothing is not a function');
  });
});
