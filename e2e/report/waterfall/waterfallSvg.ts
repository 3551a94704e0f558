import { coming } from '../../../shared/src/waterfall/bars.ts';
import { ticks } from '../../../shared/src/waterfall/ticks.ts';
import { formatMs, tenths } from '../format.ts';
import { markup, type Markup } from '../markup.ts';
import { barTitle } from './barTitle.ts';
import type { Bar, ServedLane } from './lanes.ts';

const WIDTH = 1_200;
const LABEL_WIDTH = 176;
const RIGHT = 8;
const ROW_HEIGHT = 7;
const BAR_HEIGHT = 5;
const LANE_GAP = 3;
const SERVER_GAP = 9;
/** A server's name needs it. */
const MIN_SERVER_HEIGHT = 13;
const TOP = 30;
const MAX_LABEL = 28;
const MAX_TICKS = 12;

/** @param untilMs of the axis: bars that begin later are left out, longer ones cut @param firstScreenMs ISRT */
export function waterfallSvg(all: readonly ServedLane[], untilMs: number, firstScreenMs: number): Markup {
  const x = (ms: number): number => tenths(LABEL_WIDTH + ((WIDTH - LABEL_WIDTH - RIGHT) * Math.min(Math.max(0, ms), untilMs)) / untilMs);
  const shown = all.map((lane) => within(lane, untilMs)).filter(({ bars }) => bars.length > 0);
  const parts: Markup[] = [];
  let y = TOP;
  for (const [server, lanes] of Map.groupBy(shown, (lane) => lane.server)) {
    const top = y;
    lanes.forEach((lane, place) => {
      if (place > 0) parts.push(markup`<path class="lane" d="M${LABEL_WIDTH} ${y - LANE_GAP / 2 - 0.5}H${WIDTH}"/>`);
      parts.push(drawLane(lane, y, x));
      y += lane.rows * ROW_HEIGHT + LANE_GAP;
    });
    y = Math.max(y, top + MIN_SERVER_HEIGHT);
    parts.push(markup`<text class="server" x="${LABEL_WIDTH - 8}" y="${top + 8}"><title>${server}</title>${shortened(server)}</text><path class="line" d="M0 ${y + 1}H${WIDTH}"/>`);
    y += SERVER_GAP - LANE_GAP;
  }
  return markup`<svg class="waterfall" viewBox="0 0 ${WIDTH} ${tenths(y)}" role="img" aria-label="Requests by server and connection">
${ticks(0, untilMs, MAX_TICKS).map((ms) => markup`<path class="line" d="M${x(ms)} ${TOP - 6}V${tenths(y)}"/><text class="axis" x="${x(ms)}" y="${TOP - 10}">${formatMs(ms)}</text>`)}
${parts}<path class="isrt" d="M${x(firstScreenMs)} 10V${tenths(y)}"/><text class="isrt" x="${x(firstScreenMs) + 4}" y="8">first screen ${formatMs(firstScreenMs)}</text></svg>`;
}

function within(lane: ServedLane, untilMs: number): ServedLane {
  const bars = lane.bars.filter(({ startMs }) => startMs < untilMs);
  return { ...lane, bars, rows: Math.max(0, ...bars.map(({ row }) => row + 1)) };
}

function drawLane({ opening, bars }: ServedLane, top: number, x: (ms: number) => number): Markup {
  const connecting = opening === null || opening.toMs === null ? null : markup`<path class="opening" d="M${x(opening.fromMs)} ${top + BAR_HEIGHT / 2}H${x(opening.toMs)}"><title>connecting ${formatMs(opening.fromMs)} to ${formatMs(opening.toMs)}</title></path>`;
  return markup`${connecting}${bars.map((bar) => drawBar(bar, top + bar.row * ROW_HEIGHT, x))}`;
}

function drawBar(bar: Bar, y: number, x: (ms: number) => number): Markup {
  const { role, way, waitFromMs, startMs, firstByteMs, endMs, stops } = bar;
  const middle = y + BAR_HEIGHT / 2;
  const isKnown = firstByteMs !== null;
  const askedMs = way === null || way.foreseenMs === null ? null : way.askedMs;
  return markup`<g class="${role}"><title>${barTitle(bar)}</title>${waitFromMs === null ? null : markup`<path class="wait" d="M${x(waitFromMs)} ${middle}H${x(startMs)}"/>`}<path class="${isKnown ? 'pending' : 'whole'}" d="${box(x(startMs), x(isKnown ? firstByteMs : endMs), y)}"/>${isKnown ? markup`<path class="come" d="${coming(firstByteMs, endMs, stops).map(({ fromMs, toMs }) => box(x(fromMs), x(toMs), y)).join('')}"/>` : null}${
    stops.length === 0 ? null : markup`<path class="stop" d="${stops.map(({ fromMs, toMs }) => `M${x(fromMs)} ${middle}H${x(toMs)}`).join('')}"/>`
  }${askedMs === null ? null : markup`<path class="asked" d="M${x(askedMs)} ${y - 0.5}v${BAR_HEIGHT + 1}"/>`}</g>`;
}

/** At least wide enough to be seen. */
function box(left: number, right: number, y: number): string {
  return `M${left} ${y}h${tenths(Math.max(1, right - left))}v${BAR_HEIGHT}H${left}z`;
}

/** Its end tells servers of one site apart less than its beginning. */
function shortened(server: string): string {
  return server.length > MAX_LABEL ? `${server.slice(0, MAX_LABEL - 1)}…` : server;
}
