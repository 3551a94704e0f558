import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { html } from './harness.ts';
import { readFrame, type FrameView } from './pageRecorder.ts';
import { OWN_HOST, type Site, type TestServer, type Visit } from './server.ts';

const BODY = `<img id=near src=near.png width=100 height=100>
    <div style="height:9000px"></div>
    <img id=far src=far.png width=100 height=100><img id=twin src=far.png width=50 height=50>
    <img id=sizeless src=sizeless.png>
    <img id=set srcset="set.png 1x, never.png 9x" src=never.png width=100 height=100>
    <picture><source srcset=picture.png><img id=picture width=100 height=100></picture>
    <img id=pixel src=pixel.png width=1 height=1>
    <script>const made = new Image(); made.src = 'made.png';</script>`;

/** A page whose images stand in view, or farther from it than any browser's lazy loading begins. */
const SITE: Site = { '/': html(BODY) };
/** The same, laid out only when a script has come. */
export const SLOW_SITE: Site = { '/': html(BODY, '<script src="slow.js?delay=3000"></script>') };

/** What is fetched with the data saver before anybody scrolls: it is in view, or can not be left. */
export const AT_ONCE = ['made.png', 'near.png', 'picture.png', 'pixel.png'];
const WHEN_NEAR = ['far.png', 'set.png', 'sizeless.png'];
const ALL = [...AT_ONCE, ...WHEN_NEAR].sort();
/** As the page sees them: of what is left, none before somebody comes near. */
const EVENTS_AT_ONCE = { near: ['load'], picture: ['load'], pixel: ['load'] };
const EVENTS = { ...EVENTS_AT_ONCE, far: ['load'], set: ['load'], sizeless: ['load'], twin: ['load'] };

/** In which a browser would have asked for more. */
export const SETTLED_MS = 1_500;

/** The images that a visit has asked for, each as often as it was. */
export function imagesOf(visit: Visit): string[] {
  return visit.requests.map(({ name }) => name.replace(`${OWN_HOST}/`, '')).filter((name) => name.endsWith('.png')).sort();
}

/** The user's list, with the data saver off for the page's site. */
const OFF_FOR_SITE = { version: 2, sites: [{ host: OWN_HOST, isOff: false, tunnelOnly: false, dataSaver: 'off' }] };

/** The page as its author has written it, but for one attribute. Runs in the page, as text. */
function readSources(): Record<string, string> {
  return Object.fromEntries([...document.querySelectorAll('img[id]')].map((image) => [image.id, ['loading', 'srcset', 'src'].map((name) => image.getAttribute(name) ?? '').join(' ')]));
}

/** What `readSources` finds with the data saver. */
const SOURCES = {
  near: '  near.png', far: 'lazy  far.png', twin: 'lazy  far.png', sizeless: 'lazy  sizeless.png', set: 'lazy set.png 1x, never.png 9x never.png', picture: '  ', pixel: '  pixel.png',
};

/** A page of either driver of browsers. */
interface Tab {
  evaluate(script: () => unknown): Promise<unknown>;
  goto(url: string, options: { waitUntil: 'load' }): Promise<unknown>;
  close(): Promise<void>;
}

/** A browser with the extension, and a gate. */
export interface SavingBrowser {
  readonly server: TestServer;
  newPage(): Promise<Tab>;
  /** Changes settings of the extension; they are in force then. */
  change(settings: object): Promise<void>;
}

/** What is the same in every browser. */
export function itSavesData(opened: () => SavingBrowser): void {
  /** Until its window's `load`. */
  async function load(visit: Visit): Promise<Tab> {
    const page = await opened().newPage();
    await page.goto(visit.url('/'), { waitUntil: 'load' });
    await sleep(SETTLED_MS);
    return page;
  }

  const eventsOf = async (page: Tab): Promise<unknown> => ((await page.evaluate(readFrame)) as FrameView).events;

  it('leaves images that are far until somebody scrolls to them, and the page is loaded without them, and sees nothing fail', async () => {
    await opened().change({ dataSaver: true });
    const visit = opened().server.visit(SITE);
    const page = await load(visit);
    expect(imagesOf(visit)).toEqual(AT_ONCE);
    expect(await page.evaluate(readFrame)).toMatchObject({ loads: 1, events: EVENTS_AT_ONCE });
    expect(await page.evaluate(readSources)).toEqual(SOURCES);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect.poll(() => imagesOf(visit)).toEqual(ALL);
    await expect.poll(() => eventsOf(page)).toEqual(EVENTS);
    await page.close();
  });

  it('leaves none of a site that it is off for', async () => {
    await opened().change({ dataSaver: true, sites: OFF_FOR_SITE });
    const visit = opened().server.visit(SITE);
    const page = await load(visit);
    expect(imagesOf(visit)).toEqual(ALL);
    expect(await eventsOf(page)).toEqual(EVENTS);
    await page.close();
  });
}
