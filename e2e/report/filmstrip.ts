import type { Load } from '../bench/results.ts';
import { formatMs } from './format.ts';
import { markup, type Markup } from './markup.ts';
import type { PageRow } from './pageRows.ts';

const COLUMNS = 9;

/** A picture as a data URL, by its file name in the results; null when the file is gone. */
export type PictureSource = (file: string) => string | null;

/** Stock and scheme at the same moments of one typical round. */
export function filmstrip(row: PageRow, picture: PictureSource): Markup {
  const films = [...row.baseline.loads, ...row.scheme.loads].filter(({ run }) => run === row.typicalRun);
  if (films.length < 2) return markup``;
  const times = moments(films);
  return markup`<div class="film" style="--columns:${COLUMNS}">
    <div class="times"><span></span>${times.map((ms) => markup`<span>${formatMs(ms)}</span>`)}</div>
    ${films.map((film) => strip(film, times, picture))}</div>`;
}

/** Evenly spread from just before the first change of either (the first frame kept is the blank page) to the end of the slower one. */
function moments(films: readonly Load[]): number[] {
  const starts = films.map(({ frames }) => frames[1]?.atMs ?? 0);
  const ends = films.map(({ isrtMs, frames }) => Math.max(isrtMs ?? 0, frames.at(-1)?.atMs ?? 0));
  const end = Math.max(...films.map(({ isrtMs }) => isrtMs ?? 0), Math.min(...ends));
  const start = Math.min(...starts);
  const step = (end - start) / (COLUMNS - 2);
  return Array.from({ length: COLUMNS }, (_, place) => Math.max(0, start + step * (place - 1)));
}

function strip({ scheme: label, isrtMs, frames }: Load, times: readonly number[], picture: PictureSource): Markup {
  const doneMs = (isrtMs ?? 0) - 1;
  const doneAt = times.findIndex((ms) => ms >= doneMs);
  return markup`<div class="strip"><span class="label">${label}<small>${formatMs(isrtMs)}</small></span>${times.map((ms, place) => {
    const frame = frames.findLast(({ atMs }) => atMs <= ms);
    const source = frame ? picture(frame.file) : null;
    const state = place === doneAt ? 'done first' : ms >= doneMs ? 'done' : '';
    return source ? markup`<img class="${state}" src="${source}" alt="${label} after ${formatMs(ms)}" loading="lazy">` : markup`<span class="blank ${state}"></span>`;
  })}</div>`;
}
