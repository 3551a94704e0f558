import type { Site } from '../hostile/exchange.ts';
import { file, page } from '../hostile/page.ts';

const FAR_COUNT = 12;
/** Each element has the name of its object as its id: kind of host and path. */
const image = (object: string, size: string): string => `<img id="${object}" src="${object.replace(/^(\w+)/, '{$1}')}" ${size}>`;
const far = Array.from({ length: FAR_COUNT }, (_, i) => image(`${i % 2 === 0 ? 'own' : 'two'}/far${i}.png`, 'width=400 height=300')).join('');
const SMALL = 'width=100 height=100';

/** A small page of three hosts: a style sheet, a script, images in view and out of view. */
export const SITE: Site = {
  '/': page({
    head: '<link id=own/style.css rel=stylesheet href=style.css><script id=other/script.js src={other}/script.js></script>',
    body: `${image('own/near.png', SMALL)}${image('two/beside.png', SMALL)}<div style="height:3000px"></div>${far}`,
  }),
  '/style.css': file('text/css', 'body { background: url(background.png) }'),
  'other/script.js': file('text/javascript', "note('other/script.js', 'ran')"),
};

/** What is not asked for, or not seen, without another object. */
export const SITE_DEPENDENTS: Readonly<Record<string, readonly string[]>> = { 'own/style.css': ['own/background.png'] };

/** Of what becomes of them a page's script hears nothing: no element is theirs. */
export const SITE_SILENT: readonly string[] = ['own/background.png'];
