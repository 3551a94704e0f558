import type { Estimate as Measured } from '../../../shared/src/statistics/statistics.ts';
import type { LineStyle } from '../figures/schemeStyle.ts';
import type { Estimate } from '../results.ts';

/** Okabe and Ito's colours, for all kinds of colour vision. */
const STYLES: readonly LineStyle[] = [
  { colour: '#c03a00', marker: 'circle' },
  { colour: '#0072b2', marker: 'square' },
  { colour: '#009e73', marker: 'diamond' },
  { colour: '#e08a00', marker: 'triangle' },
  { colour: '#555b61', marker: 'cross' },
];

/** Of the lines of a picture, by their places. */
export function lineStyle(place: number): LineStyle {
  return STYLES[place % STYLES.length] as LineStyle;
}

/** As a point of a line: what is no number, as of a condition without a pair, is a gap. */
export function point(estimate: Measured): Estimate {
  return Number.isFinite(estimate.value) ? estimate : { value: null, low: null, high: null };
}
