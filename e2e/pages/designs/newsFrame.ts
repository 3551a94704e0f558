import { logoSvg } from '../pictures/icons.ts';
import { type Site, STATIC_HOST } from '../site.ts';
import { DESKS } from '../text.ts';

export const NEWS_NAME = 'The Harbour Courier';
export const NEWS_HOST = 'news.demo.test';

/** What all pages of the newspaper have in their heads: logo, styles, fonts, scripts. */
export function newsHead(site: Site): Promise<string[]> {
  const logo = site.add(STATIC_HOST, '/img/courier.svg', 'image/svg+xml', logoSvg('C', '#a3281c'));
  return site.head(logo, 'news', 'courier');
}

/** What all of them begin with. */
export const NEWS_TOP = `
<div class="top"><div class="wrap bar"><span class="icon icon-menu"></span><span class="icon icon-search"></span><span>Thursday, 15 January</span>
<span class="push"><span class="icon icon-sun"></span> 4° Marnholm</span><span><span class="icon icon-user"></span> Sign in</span></div></div>
<header class="masthead wrap"><h1>${NEWS_NAME}</h1><p>News from the coast since 1871</p></header>
<nav class="sections"><div class="wrap"><ul>${DESKS.map((desk) => `<li><a href="#${desk}">${desk}</a></li>`).join('')}</ul></div></nav>`;
