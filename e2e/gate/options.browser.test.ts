import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestBrowser } from './browsers.ts';
import { Ground } from './ground.ts';

const WIDTHS_PX = [320, 800, 1600];
const RTL_PX = 320;

interface ExtensionPage {
  readonly chrome: { readonly runtime: { sendMessage(question: { readonly type: string }): Promise<unknown> }; readonly storage: { readonly local: { get(key: string): Promise<Record<string, unknown>>; set(items: object): Promise<void>; remove(key: string): Promise<void> } } };
}

/** In a browser without a helper. */
describe('the options page', () => {
  let ground: Ground;
  let browser: TestBrowser;
  let page: Page;
  beforeAll(async () => {
    ground = await Ground.make();
    browser = await ground.openFirstscreen();
  });
  beforeEach(async () => {
    page = await browser.openOwnPage('options.html');
  });
  afterEach(async () => {
    await page.evaluate(() => (globalThis as unknown as ExtensionPage).chrome.storage.local.remove('sites'));
    await page.close();
  });
  afterAll(() => ground.close());

  const stored = (key: string): Promise<unknown> => page.evaluate(async (name) => (await (globalThis as unknown as ExtensionPage).chrome.storage.local.get(name))[name], key);
  const hosts = (): Promise<string[]> => page.locator('#sites strong').allInnerTexts();
  const said = (): Promise<string> => page.locator('#sites-said').innerText();
  const focused = (): Promise<string | null> => page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.id ?? null);

  async function add(...sites: readonly string[]): Promise<void> {
    for (const site of sites) {
      await page.fill('#site-text', site);
      await page.press('#site-text', 'Enter');
      await expect.poll(hosts).toContain(site);
    }
  }

  it('has a text for all that needs one, and a name for all that can be used', async () => {
    const lacking = await page.evaluate(() => [...document.querySelectorAll('[data-text]')].filter(({ textContent }) => textContent === '').map(({ outerHTML }) => outerHTML));
    expect(lacking).toEqual([]);
    expect(await page.locator('body').innerText()).not.toMatch(/\$\d/);
    await add('a.test');
    const nameless = await page.evaluate(() => [...document.querySelectorAll<HTMLInputElement | HTMLButtonElement>('input, button')].filter((each) => (each.ariaLabel ?? '') === '' && each.textContent === '' && (each.labels ?? []).length === 0).map(({ outerHTML }) => outerHTML));
    expect(nameless).toEqual([]);
  });

  it.each(WIDTHS_PX)('needs no scrolling to the side at %d pixels', async (width) => {
    await page.setViewportSize({ width, height: 600 });
    await add(`${'a-very-long-name-of-a-host.'.repeat(6)}test`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
  });

  it('needs none from right to left either, and begins there', async () => {
    await page.setViewportSize({ width: RTL_PX, height: 600 });
    await page.evaluate(() => (document.documentElement.dir = 'rtl'));
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
    const box = await page.locator('#enabled').boundingBox();
    expect(box?.x, 'a switch stands at the end of its line').toBeLessThan(RTL_PX / 2);
  });

  it('switches what can be switched, and says why the rest can not', async () => {
    await page.click('label[for=enabled]');
    await expect.poll(() => stored('enabled')).toBe(false);
    await page.click('label[for=enabled]');
    await expect.poll(() => stored('enabled')).toBe(true);
    await expect.poll(() => page.locator('#remember-note').innerText()).toBe('Needs the helper.');
    // the tools take a locked switch for one that can not be clicked
    await page.click('label[for=remember]', { force: true });
    expect([await stored('remember'), await page.locator('#remember').isChecked()]).toEqual([undefined, false]);
    await page.click('label[for=dataSaver]');
    await expect.poll(() => stored('dataSaver')).toBe(true);
  });

  it('sets a switch back, and says of a relay that it was not taken, where nothing can be stored', async () => {
    await page.evaluate(() => {
      const { local } = (globalThis as unknown as ExtensionPage).chrome.storage;
      local.set = () => Promise.reject(new Error('IO error: No space left on device'));
    });
    await page.click('label[for=compareVisits]');
    await expect.poll(() => page.locator('#compareVisits').isChecked()).toBe(false);
    await page.fill('#relay-link', `firstscreen-relay://phone:${'a'.repeat(43)}@relay.example.com:8443`);
    await page.press('#relay-link', 'Enter');
    await expect.poll(() => page.locator('#relay-said').innerText()).toContain('That did not work');
    expect([await stored('compareVisits'), await stored('relayLink')]).toEqual([undefined, undefined]);
  });

  it('takes a site by its host or by an address, and says what is none, by keyboard alone', async () => {
    await page.focus('#site-text');
    await page.keyboard.type('https://www.b.test/news?q=1');
    await page.keyboard.press('Enter');
    await expect.poll(hosts).toEqual(['b.test']);
    await page.keyboard.type('no site');
    await page.keyboard.press('Enter');
    await expect.poll(said).toContain('That is no site');
    expect([await hosts(), await focused()]).toEqual([['b.test'], 'site-text']);
  });

  it.each([
    ['tunnelOnly', { isOff: false, tunnelOnly: true, dataSaver: 'inherit' }, 'Encrypted connections to a.test stay closed to the helper.'],
    ['dataSaver', { isOff: false, tunnelOnly: false, dataSaver: 'on' }, 'Data saver on for a.test.'],
    ['off', { isOff: true, tunnelOnly: false, dataSaver: 'inherit' }, 'Off for a.test.'],
  ])('adds a site for what is chosen: %s; what else is decided for it stays', async (rule, decided, answer) => {
    await page.selectOption('#site-rule', rule);
    await add('a.test');
    expect(await stored('sites')).toEqual({ version: 2, sites: [{ host: 'a.test', ...decided }] });
    await expect.poll(said).toBe(answer);
    await page.selectOption('#site-rule', 'off');
    await page.fill('#site-text', 'a.test');
    await page.press('#site-text', 'Enter');
    await expect.poll(() => stored('sites')).toEqual({ version: 2, sites: [{ host: 'a.test', ...decided, isOff: true }] });
  });

  it('keeps a row whose switches are both off, and the focus where it is', async () => {
    await add('a.test');
    await page.getByLabel('In use: a.test').focus();
    await page.keyboard.press('Space');
    await expect.poll(() => stored('sites')).toEqual({ version: 2, sites: [{ host: 'a.test', isOff: false, tunnelOnly: false, dataSaver: 'inherit' }] });
    await page.getByLabel('Encrypted connections stay closed: a.test').click();
    await expect.poll(() => stored('sites')).toEqual({ version: 2, sites: [{ host: 'a.test', isOff: false, tunnelOnly: true, dataSaver: 'inherit' }] });
    expect(await focused()).toBe('Encrypted connections stay closed: a.test');
    await page.getByLabel('Data saver: a.test').selectOption('on');
    await expect.poll(() => stored('sites')).toMatchObject({ sites: [{ host: 'a.test', dataSaver: 'on' }] });
  });

  it('does not set a switch of a site back to what was looked up before it was pressed', async () => {
    await add('a.test');
    const answered = await page.evaluateHandle(() => {
      const { runtime } = (globalThis as unknown as ExtensionPage).chrome;
      const send = runtime.sendMessage.bind(runtime);
      const gates: (() => void)[] = [];
      runtime.sendMessage = async (question) => {
        if (question.type === 'status') await new Promise<void>((resolve) => gates.push(resolve));
        return send(question);
      };
      return gates;
    });
    const asked = (): Promise<number> => answered.evaluate(({ length }) => length);
    await page.evaluate(() => (globalThis as unknown as ExtensionPage).chrome.storage.local.set({ nextPage: false }));
    await expect.poll(asked).toBe(1);
    const inUse = page.getByLabel('In use: a.test');
    await inUse.click();
    await expect.poll(() => stored('sites')).toMatchObject({ sites: [{ host: 'a.test', isOff: false }] });
    await answered.evaluate(([first]) => first?.());
    // what was looked up first has been shown by then, or has not
    await expect.poll(asked).toBe(2);
    expect(await inUse.isChecked()).toBe(true);
  });

  it('moves the focus to the next row when one is removed, then to the one before, then to the field', async () => {
    await add('a.test', 'b.test', 'c.test');
    for (const [host, next] of [['b.test', 'Remove c.test'], ['c.test', 'Remove a.test'], ['a.test', 'site-text']] as const) {
      await page.getByLabel(`Remove ${host}`).focus();
      await page.keyboard.press('Enter');
      await expect.poll(focused).toBe(next);
    }
    expect(await page.locator('#sites-empty').isVisible()).toBe(true);
  });

  it('moves the focus to the next row when times of visits are forgotten, and to the switch above when all are', async () => {
    const visits = ['a.test', 'b.test', 'c.test'].map((host) => ({ host, with: [{ isrtMs: 1_200, day: 20_000, link: null }], without: [] }));
    await page.evaluate((history) => (globalThis as unknown as ExtensionPage).chrome.storage.local.set({ history }), visits);
    await page.getByLabel('Forget b.test').focus();
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Forget a.test');
    await page.locator('#visits-forget').focus();
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('compareVisits');
    expect(await stored('history')).toBeUndefined();
  });

  it('saves the list as a file, and reads it again: beside what is there, or in its place', async () => {
    await add('a.test', 'b.test');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#sites-export')]);
    expect(download.suggestedFilename()).toBe('firstscreen-sites.json');
    const file = await readFile(await download.path());
    await page.getByLabel('Remove b.test').click();
    await add('c.test');
    const read = (): Promise<void> => page.setInputFiles('#sites-import', { name: 'sites.json', mimeType: 'application/json', buffer: file });
    await read();
    await expect.poll(hosts).toEqual(['a.test', 'b.test', 'c.test']);
    await page.check('#import-replace');
    await read();
    await expect.poll(hosts).toEqual(['a.test', 'b.test']);
  });

  it.each([
    ['no list', 'junk', 'is no list of sites'],
    ['a list of another version', '{"version":3,"sites":[]}', 'another version'],
    ['more than can be a list', ' '.repeat(600_000), '1000 sites at most'],
  ])('changes nothing for a file that is %s, and says the next step', async (_, text, expected) => {
    await add('a.test');
    await page.check('#import-replace');
    await page.setInputFiles('#sites-import', { name: 'sites.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await expect.poll(said).toContain(expected);
    expect(await hosts()).toEqual(['a.test']);
  });

  it('shows diagnostics with states and without a site', async () => {
    await add('secret.test');
    await page.click('summary');
    await expect.poll(() => page.locator('#diagnostics-text').innerText()).toContain('"hasGate": true');
    const text = await page.locator('#diagnostics-text').innerText();
    expect(JSON.parse(text)).toMatchObject({ sites: { listed: 1, off: 1 }, states: { helper: 'absent' }, codes: [{ code: 'E_HELPER_UNAVAILABLE' }] });
    expect(text).not.toContain('secret');
  });

  it('says that nobody knows what is remembered without a helper, and offers nothing to forget', async () => {
    await expect.poll(() => page.locator('#remembered-state').innerText()).toContain('The helper is not there');
    expect(await page.locator('#forget-all').isVisible()).toBe(false);
  });
});
