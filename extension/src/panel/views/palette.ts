import { OBJECT_CLASSES, type ObjectClass } from '../model/objectClass.ts';

/** What canvases draw with: the colours of ui.css as they are now, light or dark. */
export interface Palette {
  readonly ground: string;
  readonly raised: string;
  readonly line: string;
  readonly text: string;
  readonly quiet: string;
  readonly accent: string;
  readonly good: string;
  readonly classes: Readonly<Record<ObjectClass, string>>;
  /** Of stops: stripes of each class. */
  readonly hatches: Readonly<Record<ObjectClass, CanvasPattern | string>>;
}

const VARIABLES: Readonly<Record<ObjectClass, string>> = { layout: '--layout', inView: '--in-view', unplaced: '--unplaced', other: '--off-screen' };
/** Device pixels. */
const HATCH_SIZE = 6;

export function readPalette(): Palette {
  const probe = document.createElement('span');
  // where the system has colours of its own, all of these would be the one of text
  probe.style.setProperty('forced-color-adjust', 'none');
  document.body.append(probe);
  const read = (variable: string): string => {
    probe.style.color = `var(${variable})`;
    return getComputedStyle(probe).color;
  };
  const classes = Object.fromEntries(OBJECT_CLASSES.map((name) => [name, read(VARIABLES[name])])) as Record<ObjectClass, string>;
  const hatches = Object.fromEntries(OBJECT_CLASSES.map((name) => [name, hatch(classes[name])])) as Record<ObjectClass, CanvasPattern | string>;
  const palette = { ground: read('--ground'), raised: read('--raised'), line: read('--line'), text: read('--text'), quiet: read('--quiet'), accent: read('--accent'), good: read('--good'), classes, hatches };
  probe.remove();
  return palette;
}

/** Calls when the colours may be others. */
export function watchPalette(changed: () => void): void {
  for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)']) matchMedia(query).addEventListener('change', changed);
}

function hatch(color: string): CanvasPattern | string {
  const tile = document.createElement('canvas');
  [tile.width, tile.height] = [HATCH_SIZE, HATCH_SIZE];
  const context = tile.getContext('2d');
  if (context === null) return color;
  context.strokeStyle = color;
  context.lineWidth = 2;
  context.beginPath();
  for (const shift of [-HATCH_SIZE, 0, HATCH_SIZE]) {
    context.moveTo(shift, HATCH_SIZE);
    context.lineTo(shift + HATCH_SIZE, 0);
  }
  context.stroke();
  return context.createPattern(tile, 'repeat') ?? color;
}
