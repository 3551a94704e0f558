import { html } from './harness.ts';
import { OWN_HOST, type Site, type Visit } from './server.ts';

const BODY = `<img id=near src=near.png width=100 height=100>
    <div style="height:9000px"></div>
    <img id=far src=far.png width=100 height=100><img id=twin src=far.png width=50 height=50>
    <img id=sizeless src=sizeless.png>
    <img id=set srcset="set.png 1x, never.png 9x" src=never.png width=100 height=100>
    <picture><source srcset=picture.png><img id=picture width=100 height=100></picture>
    <img id=pixel src=pixel.png width=1 height=1>
    <script>const made = new Image(); made.src = 'made.png';</script>`;

/** A page whose images stand in view, or farther from it than any browser's lazy loading begins. */
export const SITE: Site = { '/': html(BODY) };
/** The same, laid out only when a script has come. */
export const SLOW_SITE: Site = { '/': html(BODY, '<script src="slow.js?delay=3000"></script>') };

/** What is fetched with the data saver before anybody scrolls: it is in view, or can not be left. */
export const AT_ONCE = ['made.png', 'near.png', 'picture.png', 'pixel.png'];
const WHEN_NEAR = ['far.png', 'set.png', 'sizeless.png'];
export const ALL = [...AT_ONCE, ...WHEN_NEAR].sort();
/** As the page sees them: of what is left, none before somebody comes near. */
export const EVENTS_AT_ONCE = { near: ['load'], picture: ['load'], pixel: ['load'] };
export const EVENTS = { ...EVENTS_AT_ONCE, far: ['load'], set: ['load'], sizeless: ['load'], twin: ['load'] };

/** In which a browser would have asked for more. */
export const SETTLED_MS = 1_500;

/** The images that a visit has asked for, each as often as it was. */
export function imagesOf(visit: Visit): string[] {
  return visit.requests.map(({ name }) => name.replace(`${OWN_HOST}/`, '')).filter((name) => name.endsWith('.png')).sort();
}

/** The user's list, with the data saver off for the page's site. */
export const OFF_FOR_SITE = { version: 2, sites: [{ host: OWN_HOST, isOff: false, tunnelOnly: false, dataSaver: 'off' }] };

/** The page as its author has written it, but for one attribute. Runs in the page, as text. */
export function readSources(): Record<string, string> {
  return Object.fromEntries([...document.querySelectorAll('img[id]')].map((image) => [image.id, ['loading', 'srcset', 'src'].map((name) => image.getAttribute(name) ?? '').join(' ')]));
}

/** What `readSources` finds with the data saver. */
export const SOURCES = {
  near: '  near.png', far: 'lazy  far.png', twin: 'lazy  far.png', sizeless: 'lazy  sizeless.png', set: 'lazy set.png 1x, never.png 9x never.png', picture: '  ', pixel: '  pixel.png',
};
