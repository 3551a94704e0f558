/** What of the time axis is seen, in milliseconds after the navigation's start. */
export interface TimeView {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Behind the first screen, or the load's end, so much more is seen at first, as a factor. */
const SHOWN_FACTOR = 1.15;
const MIN_SHOWN_MS = 100;
/** The shortest time that can be looked at. */
const MIN_MS = 5;

/** All that is of interest. */
export function wholeView(firstScreenMs: number | null, endMs: number): TimeView {
  const untilMs = firstScreenMs === null ? endMs : Math.min(endMs, 2 * firstScreenMs);
  return { fromMs: 0, toMs: Math.max(MIN_SHOWN_MS, untilMs * SHOWN_FACTOR) };
}

/** @param factor below 1 is nearer @param aroundMs stays where it is @param limitMs of the load's end */
export function zoomed({ fromMs, toMs }: TimeView, factor: number, aroundMs: number, limitMs: number): TimeView {
  const length = Math.min(Math.max(MIN_MS, (toMs - fromMs) * factor), Math.max(MIN_SHOWN_MS, limitMs * SHOWN_FACTOR));
  const share = (aroundMs - fromMs) / (toMs - fromMs);
  return within({ fromMs: aroundMs - share * length, toMs: aroundMs + (1 - share) * length }, limitMs);
}

export function panned({ fromMs, toMs }: TimeView, byMs: number, limitMs: number): TimeView {
  return within({ fromMs: fromMs + byMs, toMs: toMs + byMs }, limitMs);
}

/** Moved, as little as can be, so that a time is seen. */
export function showing(view: TimeView, span: TimeView, limitMs: number): TimeView {
  const length = view.toMs - view.fromMs;
  if (span.fromMs >= view.fromMs && span.fromMs <= view.toMs - length / 10) return view;
  return within({ fromMs: span.fromMs - length / 10, toMs: span.fromMs + (9 * length) / 10 }, limitMs);
}

function within({ fromMs, toMs }: TimeView, limitMs: number): TimeView {
  const length = toMs - fromMs;
  const last = Math.max(0, limitMs * SHOWN_FACTOR - length);
  const from = Math.min(Math.max(0, fromMs), last);
  return { fromMs: from, toMs: from + length };
}
