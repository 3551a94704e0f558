import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { MeasurementExport } from './measurementExport.ts';

const POLL_MS = 250;
const START_LIMIT_MS = 20_000;

/** A page of a browser under test, by whichever tool it is driven. */
export interface ScriptedPage {
  evaluate(expression: string): Promise<unknown>;
}

/** What the page would save as a file. */
const SAVED = `(() => {
  const { promise, resolve } = Promise.withResolvers();
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => { resolve(blob.text()); return make.call(URL, blob); };
  document.getElementById('export').click();
  URL.createObjectURL = make;
  return promise;
})()`;

/** The extension's page "Measure this page", used as its user does. */
export class MeasuringPage {
  private readonly page: ScriptedPage;

  constructor(page: ScriptedPage) {
    this.page = page;
  }

  /** Names the tab whose page is to be measured. @returns path of the measuring page for it */
  static async pathFor(page: ScriptedPage, url: string): Promise<string> {
    const id = await page.evaluate(`chrome.tabs.query({}).then((tabs) => tabs.find((tab) => tab.url === ${JSON.stringify(url)})?.id)`);
    if (typeof id !== 'number') throw new Error('no tab shows the page that is to be measured');
    return `measure.html?tab=${id}`;
  }

  /** Each load begins without connections. */
  async begin(pairs: number): Promise<void> {
    await this.until("!document.getElementById('begin')?.disabled && 'ready' in document.body.dataset", START_LIMIT_MS);
    await this.page.evaluate(`document.getElementById('pairs').value = '${pairs}'`);
    await this.page.evaluate(`document.getElementById('cold').checked = true`);
    await this.press('begin');
    await this.until("!document.getElementById('running').hidden", START_LIMIT_MS);
  }

  async press(id: string): Promise<void> {
    await this.page.evaluate(`document.getElementById('${id}').click()`);
  }

  async textOf(id: string): Promise<string> {
    return String(await this.page.evaluate(`document.getElementById('${id}').textContent`));
  }

  /** Waits for the end. @returns what it saves then */
  async result(limitMs: number): Promise<MeasurementExport> {
    await this.until("!document.getElementById('result').hidden", limitMs);
    return v.parse(MeasurementExport, JSON.parse(String(await this.page.evaluate(SAVED))));
  }

  /** @throws Error with what the page says when it is not so in time */
  async until(condition: string, limitMs: number): Promise<void> {
    const deadlineMs = performance.now() + limitMs;
    // a page that is being loaded has nothing of it yet
    while ((await this.page.evaluate(condition).catch(() => false)) !== true) {
      if (performance.now() > deadlineMs) throw new Error(`not so after ${limitMs} ms: ${condition}; the page says: ${await this.textOf('phase')} ${await this.textOf('refusal')}`);
      await sleep(POLL_MS);
    }
  }
}
