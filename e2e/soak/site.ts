import type { Site } from '../hostile/exchange.ts';
import { file, page } from '../hostile/page.ts';

const FAR_COUNT = 12;
const far = Array.from({ length: FAR_COUNT }, (_, i) => `<img id=far${i} src="${i % 2 === 0 ? '' : '{two}/'}far${i}.png" width=400 height=300>`).join('');

/** A small page of three hosts: a style sheet, a script, images in view and out of view. */
export const SITE: Site = {
  '/': page({
    head: '<link rel=stylesheet href=style.css><script src={other}/script.js></script>',
    body: `<img id=near src=near.png width=100 height=100><img id=beside src={two}/beside.png width=100 height=100><div style="height:3000px"></div>${far}`,
  }),
  '/style.css': file('text/css', 'body { background: url(background.png) }'),
  'other/script.js': file('text/javascript', "note('script', true)"),
};
