import { formatMs } from '../format.ts';
import { markup, Markup } from '../markup.ts';
import { STYLE } from '../style.ts';
import { lanes, type ServedLane } from './lanes.ts';
import type { LoadArtifact } from './loadArtifact.ts';
import { waterfallSvg } from './waterfallSvg.ts';

/** One side of the comparison. */
export interface WaterfallSide {
  readonly label: string;
  readonly isrtMs: number;
  readonly artifact: LoadArtifact;
}

/** Behind the first screen so much more is shown, as a factor. */
const SHOWN_FACTOR = 1.25;

const WATERFALL_STYLE = `
main { max-width: 1440px; } h2 { margin-top: 32px; }
:root { --layout:#0072b2; --in-view:#d98200; --other:#98a2ad; --stop:#c2185b; } @media (prefers-color-scheme: dark) { :root { --layout:#56a8e0; --in-view:#f0a830; --other:#7d8894; --stop:#ff6fa5; } }
svg.waterfall { width: 100%; min-width: 900px; height: auto; display: block; font: 9px system-ui, sans-serif; }
.waterfall text { fill: var(--muted); } .waterfall .server { text-anchor: end; fill: var(--text); } .waterfall .axis { text-anchor: middle; }
.waterfall .line { stroke: var(--line); stroke-width: .6; } .waterfall .lane { stroke: var(--line); stroke-width: .6; stroke-dasharray: 1 3; }
.waterfall .isrt { stroke: var(--good); stroke-width: 1.4; } .waterfall text.isrt { fill: var(--good); stroke: none; font-weight: 600; }
.layout { --c: var(--layout); } .inView { --c: var(--in-view); } .other { --c: var(--other); }
.pending { fill: var(--c); opacity: .35; } .come { fill: var(--c); } .whole { fill: var(--c); opacity: .7; } .wait { stroke: var(--c); stroke-width: .8; }
.stop { stroke: var(--stop); stroke-width: 1.6; stroke-dasharray: 2 1; } .asked { stroke: var(--text); stroke-width: 1.2; } .opening { stroke: var(--muted); stroke-width: 2.4; stroke-dasharray: 4 2; }
.waterfall g:hover path { filter: brightness(1.25); } .waterfall g:hover .wait { stroke-width: 2; }
.key { display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: 13px; color: var(--muted); margin: 0 0 16px; } .key svg { width: 34px; height: 10px; vertical-align: -1px; margin-right: 6px; }
`;

const KEY: readonly (readonly [string, Markup])[] = [
  ['layout file', markup`<g class="layout"><path class="come" d="M0 2h34v6H0z"/></g>`],
  ['in view', markup`<g class="inView"><path class="come" d="M0 2h34v6H0z"/></g>`],
  ['not in the first screen', markup`<g class="other"><path class="come" d="M0 2h34v6H0z"/></g>`],
  ['waits in the helper', markup`<g class="layout"><path class="wait" d="M0 5h34"/></g>`],
  ['sent, no byte yet', markup`<g class="layout"><path class="pending" d="M0 2h34v6H0z"/></g>`],
  ['sent until delivered (several at once on a connection of the browser: its first byte is not known)', markup`<g class="layout"><path class="whole" d="M0 2h34v6H0z"/></g>`],
  ['stopped in mid-flight', markup`<path class="stop" d="M0 5h34"/>`],
  ['the browser asks for what was asked ahead', markup`<path class="asked" d="M17 0v10"/>`],
  ['connecting', markup`<path class="opening" d="M0 5h34"/>`],
];

/** Stock's load and the scheme's beside each other, to one scale, as one file without scripts and without anything to fetch. */
export function waterfallPage(page: string, sides: readonly WaterfallSide[]): string {
  const untilMs = SHOWN_FACTOR * Math.max(...sides.map(({ isrtMs }) => isrtMs));
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${page}: ${sides.map(({ label }) => label).join(', ')}</title>
<style>${new Markup(STYLE + WATERFALL_STYLE)}</style></head><body><main>
<header><h1>${page}</h1><p class="lead">Every request by server and connection, in the round that stands for the page; of a journey it is the first page. Stock’s bars begin when the server has the request, the helper’s when it leaves the helper; all end when the link has delivered the last byte. The pointer on a bar tells its way.</p></header>
<p class="key">${KEY.map(([words, drawn]) => markup`<span><svg viewBox="0 0 34 10">${drawn}</svg>${words}</span>`)}</p>
${sides.map((side) => section(side, untilMs))}
</main></body></html>
`.text;
}

function section({ label, isrtMs, artifact }: WaterfallSide, untilMs: number): Markup {
  const all = lanes(artifact);
  const bars = all.flatMap((lane) => lane.bars);
  const late = bars.filter(({ startMs }) => startMs >= untilMs).length;
  return markup`<section><h2>${label}: ${formatMs(isrtMs)}</h2><p class="about">${about(all, artifact, late)}</p><div class="card">${waterfallSvg(all, untilMs, isrtMs)}</div></section>`;
}

function about(all: readonly ServedLane[], { requests, record }: LoadArtifact, late: number): string {
  const bars = all.flatMap((lane) => lane.bars);
  const ways = bars.flatMap(({ way }) => way ?? []);
  const ahead = ways.filter(({ foreseenMs }) => foreseenMs !== null).length;
  const stopped = bars.filter(({ stops }) => stops.length > 0).length;
  return [
    `${requests.length} requests on ${all.length} connections`,
    ...(record === null ? [] : [`${ways.length} by the helper, ${ahead} of them asked ahead, ${stopped} stopped in mid-flight`]),
    ...(late === 0 ? [] : [`${late} of them later than shown`]),
    ...(bars.length === requests.length ? [] : [`${requests.length - bars.length} never came`]),
  ].join('; ') + '.';
}
