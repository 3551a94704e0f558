import { type Random } from '../random.ts';
import { escapeHtml, Site } from '../site.ts';
import { nameOfPicture, writeStories } from '../text.ts';
import { type RecordedObject } from '../warcWriter.ts';
import { NEWS_HOST, NEWS_NAME, NEWS_TOP, newsHead } from './newsFrame.ts';
import { footer, htmlDocument, inTurn } from './document.ts';

const PARAGRAPHS = 4;
/** What is written first stands last: so does what comes beside an article on a wide window. */
const STYLE = '<style>.essay{display:flex;flex-direction:column}.essay .later{order:1}.essay img{width:100%;height:auto}</style>';

/** One large picture in view, and larger ones that are not: one of them before it in the document, the others after it. */
export async function essayPage(random: Random, below: number): Promise<RecordedObject[]> {
  const site = new Site(random, NEWS_HOST);
  const head = [...(await newsHead(site)), await site.style('article'), STYLE];
  const words = random.fork('words');
  const plate = async (): Promise<string> => `<figure>${await site.photograph(2_400, 1_600, 84, { alt: nameOfPicture(words) })}</figure>`;
  const first = await plate();
  const view = await site.photograph(1_280, 560, 82, { alt: nameOfPicture(words) });
  const story = await inTurn(writeStories(random.fork('stories'), below), async ({ headline, summary }) => `<h3>${escapeHtml(headline)}</h3>\n${`<p>${escapeHtml(summary)}</p>\n`.repeat(PARAGRAPHS)}${await plate()}\n`);
  const body = `${NEWS_TOP}
<div class="wrap"><article class="story essay">
<div class="later">${first}</div>
<div><figure>${view}<figcaption>One picture that is seen at once.</figcaption></figure></div>
<div>${story}</div>
</article></div>
${footer(NEWS_NAME)}`;
  return site.finish(htmlDocument(`${NEWS_NAME}: an essay in pictures`, head, body));
}
