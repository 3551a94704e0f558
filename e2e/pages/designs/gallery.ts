import { logoSvg } from '../pictures/icons.ts';
import { type Random } from '../random.ts';
import { escapeHtml, Site, STATIC_HOST } from '../site.ts';
import { nameOfPicture, PEOPLE } from '../text.ts';
import { type RecordedObject } from '../warcWriter.ts';
import { footer, htmlDocument, inTurn } from './document.ts';

const NAME = 'Northlight';
const WIDTH = 640;
const HEIGHTS = [400, 427, 480, 800, 640, 360] as const;

/** A wall of photographs in three columns: the tops of the second and third are in view but late in the document. */
export async function galleryPage(random: Random, pictures: number): Promise<RecordedObject[]> {
  const site = new Site(random, 'gallery.demo.test');
  const layout = random.fork('layout');
  const logo = site.add(STATIC_HOST, '/img/northlight.svg', 'image/svg+xml', logoSvg('N', '#3a3733'));
  const head = await site.head(logo, 'gallery', 'northlight');
  const faces = await inTurn(PEOPLE.slice(0, 5), (person) => site.photograph(40, 40, 64, { alt: person }));
  const wall = await inTurn(Array.from({ length: pictures }), async (_, index) => {
    const title = nameOfPicture(layout);
    const picture = await site.photograph(WIDTH, layout.pick(HEIGHTS), layout.whole(60, 84), { alt: title, withoutSize: index % 9 === 4 });
    return `<figure>${picture}<figcaption><b>${escapeHtml(title)}</b><span>${layout.pick(PEOPLE)}</span></figcaption></figure>\n`;
  });
  const body = `
<header class="head on-dark"><div class="wrap bar"><img src="${logo}" width="32" height="32" alt=""><strong>${NAME}</strong>
<ul class="push"><li>Discover</li><li>Series</li><li>Prints</li><li>Journal</li></ul>
<span class="icon icon-search"></span><span class="icon icon-heart"></span><span class="icon icon-camera"></span><span class="icon icon-user"></span></div></header>
<div class="wrap">
<div class="title"><h1>A coast,<br>in every weather</h1><div><p>Eight photographers walked the same forty kilometres for a year. These are the days they kept.</p>
<div class="people">${faces}<span>and three more</span></div></div></div>
<div class="wall">
${wall}</div>
</div>
<div class="lightbox">${await site.photograph(1280, 800, 66, { alt: 'Enlarged' })}</div>
${footer(NAME)}`;
  return site.finish(htmlDocument(`${NAME}: a coast, in every weather`, head, body));
}
