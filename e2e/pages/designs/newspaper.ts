import { type Random } from '../random.ts';
import { escapeHtml, Site } from '../site.ts';
import { PEOPLE, writeStories, type Story } from '../text.ts';
import { type RecordedObject } from '../warcWriter.ts';
import { footer, htmlDocument, inTurn } from './document.ts';
import { NEWS_HOST, NEWS_NAME, NEWS_TOP, newsHead } from './newsFrame.ts';

/** A story, its page, and its small picture, which all pages show. */
interface Article {
  readonly story: Story;
  readonly url: string;
  readonly thumbnail: string;
}

const PARAGRAPHS = 7;

/**
 * A newspaper of several pages: a front page and articles. They share styles, scripts, fonts and small pictures; each
 * article has pictures of its own; links to the other articles are in view on every page.
 */
export async function newspaperSite(random: Random, count: number): Promise<RecordedObject[]> {
  const site = new Site(random, NEWS_HOST);
  const head = [...(await newsHead(site)), await site.style('article')];
  const articles: Article[] = [];
  for (const [index, story] of writeStories(random.fork('stories'), count).entries()) {
    articles.push({ story, url: `https://${NEWS_HOST}/stories/${index + 1}`, thumbnail: await site.photograph(126, 96, 60, { alt: story.headline }) });
  }
  const [lead, second, third] = articles;
  if (lead === undefined || second === undefined || third === undefined) throw new RangeError('a newspaper needs three stories');
  const words = random.fork('words');
  for (const article of articles) {
    const body = await articleBody(site, article, words);
    site.page(new URL(article.url).pathname, htmlDocument(escapeHtml(article.story.headline), head, page(body, articles, article)));
  }
  const front = `<article class="lead"><div>${await site.photograph(960, 606, 76, { alt: lead.story.headline })}</div>
<div><div class="kicker">${lead.story.desk}</div><h2>${link(lead)}</h2><p>${escapeHtml(lead.story.summary)}</p></div></article>
<div class="pair">${await inTurn([second, third], async (article) => `<article class="card">${await site.photograph(800, 490, 70, { alt: article.story.headline })}<h3>${link(article)}</h3><p>${escapeHtml(article.story.summary)}</p></article>`)}</div>`;
  return site.finish(htmlDocument(NEWS_NAME, head, page(front, articles, null)));
}

function page(main: string, articles: readonly Article[], shown: Article | null): string {
  const others = articles.filter((article) => article !== shown);
  return `${NEWS_TOP}
<div class="wrap grid">
<main>
${main}
</main>
<aside>
<h2>Most read</h2>
<ol>${others.map((article) => `<li>${article.thumbnail}<h3>${link(article)}</h3></li>`).join('')}</ol>
</aside>
</div>
${footer(NEWS_NAME)}`;
}

async function articleBody(site: Site, { story }: Article, words: Random): Promise<string> {
  const author = words.pick(PEOPLE);
  const paragraphs = writeStories(words.fork(story.headline), PARAGRAPHS).map(({ headline, summary }) => `<p>${escapeHtml(`${headline}. ${summary}`)}</p>`);
  const picture = await site.photograph(1120, 630, 74, { alt: story.headline });
  const portrait = await site.photograph(56, 56, 68, { alt: author });
  return `<article class="story"><div class="kicker">${story.desk}</div><h2>${escapeHtml(story.headline)}</h2>
<div class="columnist">${portrait}<span><b>${author}</b><br><span class="muted small">6 minutes</span></span></div>
<figure>${picture}<figcaption>${escapeHtml(story.summary)}</figcaption></figure>
${paragraphs.join('\n')}
<figure>${await site.photograph(960, 606, 68, { alt: story.summary, withoutSize: true })}</figure></article>`;
}

function link({ story, url }: Article): string {
  return `<a href="${url}">${escapeHtml(story.headline)}</a>`;
}
