import { logoSvg } from '../pictures/icons.ts';
import { type Random } from '../random.ts';
import { headScript, TAIL_SCRIPT } from '../scripts.ts';
import { type Site, STATIC_HOST } from '../site.ts';
import { DESKS } from '../text.ts';

export const NEWS_NAME = 'The Harbour Courier';
export const NEWS_HOST = 'news.demo.test';

/** What all pages of the newspaper have in their heads: logo, styles, fonts, scripts. */
export async function newsHead(site: Site, random: Random): Promise<string[]> {
  const logo = site.add(STATIC_HOST, '/img/courier.svg', 'image/svg+xml', logoSvg('C', '#a3281c'));
  return [
    `<link rel="icon" href="${logo}">`,
    await site.baseStyle(),
    await site.style('news'),
    site.script('courier', headScript(random.fork('script'))),
    site.script('tail', TAIL_SCRIPT, ' defer'),
  ];
}

/** What all of them begin with. */
export const NEWS_TOP = `
<div class="top"><div class="wrap bar"><span class="icon icon-menu"></span><span class="icon icon-search"></span><span>Thursday, 15 January</span>
<span class="push"><span class="icon icon-sun"></span> 4° Marnholm</span><span><span class="icon icon-user"></span> Sign in</span></div></div>
<header class="masthead wrap"><h1>${NEWS_NAME}</h1><p>News from the coast since 1871</p></header>
<nav class="sections"><div class="wrap"><ul>${DESKS.map((desk) => `<li><a href="#${desk}">${desk}</a></li>`).join('')}</ul></div></nav>`;
