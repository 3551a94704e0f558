import { PRODUCT_FORMS } from '../pictures/product.ts';
import { logoSvg } from '../pictures/icons.ts';
import { type Random } from '../random.ts';
import { escapeHtml, Site, STATIC_HOST } from '../site.ts';
import { nameOfProduct } from '../text.ts';
import { type RecordedObject } from '../warcWriter.ts';
import { footer, htmlDocument, inTurn } from './document.ts';

const NAME = 'Tallow & Oak';
const RECENT = 8;
const FILTERS = [
  ['Room', 'Kitchen', 'Living room', 'Hall', 'Study', 'Garden'],
  ['Material', 'Stoneware', 'Oak', 'Linen', 'Glass', 'Brass'],
  ['Price', 'Under 20', '20 to 50', '50 to 120', 'Over 120'],
] as const;

/** A list of products. Its banner is a CSS background, and the strip of recent ones is shown first but written last. */
export async function shopPage(random: Random, products: number): Promise<RecordedObject[]> {
  const site = new Site(random, 'shop.demo.test');
  const stock = random.fork('stock');
  const logo = site.add(STATIC_HOST, '/img/tallow.svg', 'image/svg+xml', logoSvg('T', '#3f5a46'));
  const banner = await site.background(1180, 360, 72);
  const stars = site.add(STATIC_HOST, '/img/stars.svg', 'image/svg+xml', starsSvg());
  const head = await site.head(logo, 'shop', 'tallow', `.banner{background-image:url(${banner})}\n.stars{background:url(${stars})}\n`);
  const list = await inTurn(Array.from({ length: products }), async (_, index) => {
    const form = stock.pick(PRODUCT_FORMS);
    const name = nameOfProduct(stock, form);
    const picture = await site.product(form, 440, 520, stock.whole(58, 88), { alt: name, withoutSize: index % 7 === 5 });
    const price = stock.whole(9, 180);
    const before = stock.next() < 0.25 ? `<s>${Math.round(price * 1.3)}.00</s>` : '';
    return `<li class="product"><a href="#p">${picture}<h3>${escapeHtml(name)}</h3></a><span class="stars"></span> <span class="muted small">${stock.whole(3, 412)}</span><div class="price">${before}${price}.00</div></li>\n`;
  });
  const recent = await inTurn(Array.from({ length: RECENT }), async () => `<li>${await site.product(stock.pick(PRODUCT_FORMS), 72, 86, 66)}</li>`);
  const body = `
<header class="head"><div class="wrap bar"><img src="${logo}" width="36" height="36" alt=""><strong>${escapeHtml(NAME)}</strong>
<form class="push"><span class="icon icon-search"></span> Search for mugs, lamps, stools</form>
<span class="icon icon-user"></span><span class="icon icon-heart"></span><span class="icon icon-bag"></span></div></header>
<div class="wrap"><div class="banner"><div><h1>Things that last longer than a season</h1><p>The winter collection is here.</p></div></div>
<div class="body"><div class="filters">${FILTERS.map(([title, ...items]) => `<h2>${title}</h2><ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`).join('')}</div>
<div class="content"><div class="sort"><span>${products} products</span><span>Sort by: most loved</span></div>
<ul class="products">
${list}</ul>
<div class="recent"><h2>Seen recently</h2><ul>${recent}</ul></div>
<div class="zoom">${await site.product(stock.pick(PRODUCT_FORMS), 900, 1080, 74, { alt: 'Enlarged' })}</div>
</div></div></div>
${footer(escapeHtml(NAME))}`;
  return site.finish(htmlDocument(`${escapeHtml(NAME)}: for the house`, head, body));
}

function starsSvg(): string {
  const star = '<path d="M8 1.8l1.9 3.9 4.3.6-3.1 3 .7 4.3L8 11.6l-3.8 2 .7-4.3-3.1-3 4.3-.6z"/>';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="16"><g fill="#d69a2d">${[0, 1, 2, 3, 4].map((index) => `<g transform="translate(${index * 16})">${star}</g>`).join('')}</g></svg>`;
}
