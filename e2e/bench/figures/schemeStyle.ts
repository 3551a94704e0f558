import type { SchemeKind } from '../schemes.ts';

/** How a line is told from the others: colour (Okabe and Ito's, for all kinds of colour vision) and marker. */
export interface LineStyle {
  readonly colour: string;
  readonly marker: Marker;
}
export type Marker = 'circle' | 'square' | 'triangle' | 'diamond' | 'cross';

/** The report's names; the bench's own name follows where it says more. */
const NAMES: Partial<Readonly<Record<SchemeKind, string>>> = { conv: 'CONV', 'pf-managed': 'PF', 'pf-tunnel': 'PF (pf-tunnel)', 'pf+or': 'PF+OR', 'pf+cm': 'PF+CM', all: 'ALL' };

const PF: LineStyle = { colour: '#0072b2', marker: 'square' };
const STYLES: Partial<Readonly<Record<SchemeKind, LineStyle>>> = {
  conv: { colour: '#555b61', marker: 'cross' },
  'pf-managed': PF,
  'pf-tunnel': PF,
  'pf+or': { colour: '#e08a00', marker: 'triangle' },
  'pf+cm': { colour: '#009e73', marker: 'diamond' },
  all: { colour: '#c03a00', marker: 'circle' },
};
/** For the schemes that are in no figure of the report. */
const OTHERS: readonly LineStyle[] = [
  { colour: '#b45a96', marker: 'cross' },
  { colour: '#3a9fd6', marker: 'cross' },
  { colour: '#8a7a00', marker: 'cross' },
];

/** A scheme's label as readers see it. */
export function schemeName(label: string): string {
  return NAMES[label as SchemeKind] ?? label;
}

/** @param place of the scheme among those drawn; tells unknown ones apart */
export function schemeStyle(label: string, place: number): LineStyle {
  return STYLES[label as SchemeKind] ?? (OTHERS[place % OTHERS.length] as LineStyle);
}
