import { type Random } from '../random.ts';
import { CDN_HOST, escapeHtml, Site } from '../site.ts';
import { DESKS, PEOPLE, writeStories, type Story } from '../text.ts';
import { type RecordedObject } from '../warcWriter.ts';
import { footer, htmlDocument, inTurn } from './document.ts';
import { NEWS_HOST, NEWS_NAME, NEWS_TOP, newsHead } from './newsFrame.ts';

const SLIDES = 4;
const MOST_READ = 5;
const STORIES_A_DESK = 7;
/** Lead, slides and the pair below it. */
const TOP_STORIES = 4;

/** A newspaper's front page. Its right column is in view but comes last in the document; desks decide how long the page is. */
export async function newsPage(random: Random, desks: number): Promise<RecordedObject[]> {
  const site = new Site(random, NEWS_HOST);
  const stories = writeStories(random.fork('stories'), TOP_STORIES + desks * STORIES_A_DESK + MOST_READ);
  const [lead, second, third, ...others] = stories;
  if (lead === undefined || second === undefined || third === undefined) throw new RangeError('a front page needs three stories');
  const head = await newsHead(site);
  const body = `${NEWS_TOP}
<div class="wrap grid">
<main>
${await leadStory(site, lead)}
<div class="pair">${await inTurn([second, third], (story) => card(site, story, 800, 490, 70, ''))}</div>
${await inTurn(Array.from({ length: desks }), (_, index) => desk(site, others.slice(index * STORIES_A_DESK, (index + 1) * STORIES_A_DESK), index))}
<div class="reader">${await site.photograph(900, 600, 72, { alt: 'Reader' })}</div>
</main>
<aside>
<h2>Most read</h2>
<ol>${await inTurn(others.slice(-MOST_READ), (story) => line(site, story, 126, 96))}</ol>
${desks === 0 ? '' : await furtherDown(site)}
</aside>
</div>
${desks === 0 ? '' : footer(NEWS_NAME)}`;
  return site.finish(htmlDocument(NEWS_NAME, head, body));
}

/** What the right column has on pages that are longer than one screen. */
async function furtherDown(site: Site): Promise<string> {
  return `<iframe src="${await advertisement(site)}" title="Advertisement" width="300" height="250"></iframe>
<h2>Columns</h2>
${await inTurn(PEOPLE.slice(0, 3), async (person) => `<div class="columnist">${await site.photograph(56, 56, 68, { alt: person })}<span><b>${person}</b><br><span class="muted small">What the tide leaves behind</span></span></div>`)}`;
}

async function leadStory(site: Site, story: Story): Promise<string> {
  const slides = await inTurn(Array.from({ length: SLIDES }), async (_, index) => {
    const picture = await site.photograph(960, 606, index === 0 ? 80 : 68, { alt: story.headline });
    return `<figure>${picture}<figcaption>Picture ${index + 1} of ${SLIDES}. ${PEOPLE[index] ?? ''}</figcaption></figure>`;
  });
  return `<article class="lead"><div class="carousel"><div class="slides">${slides}</div></div>
<div><div class="kicker">${story.desk}</div><h2><a href="#lead">${escapeHtml(story.headline)}</a></h2><p>${escapeHtml(story.summary)}
The pier was full an hour before. “We had stopped counting the years,” said the harbour master, and put the register away.</p>
<p class="small muted" style="margin-top:14px"><span class="icon icon-clock"></span> 6 minutes &nbsp; <span class="icon icon-chat"></span> 148</p></div></article>`;
}

async function desk(site: Site, stories: readonly Story[], index: number): Promise<string> {
  const name = DESKS[index % DESKS.length] ?? '';
  const [first, second, ...rest] = stories;
  if (first === undefined || second === undefined) return '';
  return `<section class="desk" id="${name}"><h2>${name}</h2><div class="cards">
${await card(site, first, 1080, 660, 68, ' wide')}${await card(site, second, 512, 660, 66, '')}
${await inTurn(rest.slice(0, 3), (story, at) => card(site, story, 384, 240, 62, '', at === 1))}
</div><ul class="lines">${await inTurn(rest.slice(3), (story) => line(site, story, 132, 99))}</ul></section>`;
}

async function card(site: Site, story: Story, width: number, height: number, quality: number, kind: string, withoutSize = false): Promise<string> {
  const picture = await site.photograph(width, height, quality, { alt: story.headline, withoutSize });
  return `<article class="card${kind}">${picture}<h3><a href="#s">${escapeHtml(story.headline)}</a></h3><p>${escapeHtml(story.summary)}</p></article>`;
}

async function line(site: Site, story: Story, width: number, height: number): Promise<string> {
  const picture = await site.photograph(width, height, 60);
  return `<li>${picture}<h3><a href="#s">${escapeHtml(story.headline)}</a></h3></li>`;
}

/** A frame from a third party with a picture of its own. */
async function advertisement(site: Site): Promise<string> {
  const picture = await site.background(300, 250, 66);
  const text = `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Advertisement</title>
<style>body{margin:0;font:600 22px/1.2 Georgia,serif;color:#fff}div{width:300px;height:250px;padding:24px;box-sizing:border-box;background:url(${picture}) center/cover;text-shadow:0 1px 8px #000a}small{display:block;font:400 13px sans-serif;margin-top:8px}</style>
<div>Two nights on the islands<small>Ferry and breakfast, from 89</small></div></html>`;
  return site.add(CDN_HOST, '/frames/islands.html', 'text/html; charset=utf-8', text);
}
