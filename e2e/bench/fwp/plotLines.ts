import type { LineStyle } from '../figures/schemeStyle.ts';

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
