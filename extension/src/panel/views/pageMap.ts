import { intersects, type Rect } from '../../../../shared/src/page/geometry.ts';
import { RankClass } from '../../../../shared/src/scheduling/rank.ts';
import { t } from '../../ui/texts.ts';
import type { PanelRequest } from '../model/panelRequest.ts';
import { SharpCanvas } from './canvas.ts';
import type { Palette } from './palette.ts';
import type { Chooser, PanelState, View } from './panelState.ts';

/** Smaller boxes are drawn so large, in CSS pixels of the map. */
const MIN_BOX = 2;
const PADDING = 4;
/** Long pages are shown around the view: so many views high. */
const MOST_VIEWS = 12;
const UNCOME_STRENGTH = 0.35;

interface Box {
  readonly rect: Rect;
  readonly request: PanelRequest;
}

/** The page from above: where its images stand, what they are to the first screen, and what of it is in view now. */
export class PageMap implements View {
  private readonly canvas: SharpCanvas;
  private readonly note: HTMLElement;
  private palette: Palette;
  private state: PanelState | null = null;
  private boxes: readonly Box[] = [];

  constructor(element: HTMLCanvasElement, note: HTMLElement, palette: Palette, chooser: Chooser) {
    [this.note, this.palette] = [note, palette];
    this.canvas = new SharpCanvas(element, () => this.draw());
    element.addEventListener('click', ({ offsetX, offsetY }) => chooser.select(this.requestAt(offsetX, offsetY)));
  }

  setPalette(palette: Palette): void {
    this.palette = palette;
    this.draw();
  }

  update(state: PanelState): void {
    this.state = state;
    this.boxes = boxesOf(state);
    const count = this.boxes.length;
    this.note.textContent = count === 0 ? t('panelNoMap') : '';
    this.canvas.element.setAttribute('aria-label', t('panelMapLabel', count, this.boxes.filter(({ request }) => request.place?.rankClass === RankClass.inView).length));
    this.draw();
  }

  /** What of the page is shown, and how large. */
  private get frame(): { readonly area: Rect; readonly scale: number } | null {
    const places = this.state?.record.places ?? null;
    if (places === null || this.canvas.width === 0) return null;
    const { view, page } = places;
    const below = this.boxes.reduce((most, { rect }) => Math.max(most, rect.y + rect.height), view.y + view.height);
    const height = Math.min(page?.height ?? below, MOST_VIEWS * Math.max(1, view.height));
    const y = Math.max(0, Math.min(view.y - view.height, (page?.height ?? below) - height));
    const area = { x: 0, y, width: Math.max(1, page?.width ?? view.width), height: Math.max(1, height) };
    return { area, scale: Math.min((this.canvas.width - 2 * PADDING) / area.width, (this.canvas.height - 2 * PADDING) / area.height) };
  }

  private draw(): void {
    const { canvas: { context }, palette, state, frame } = this;
    this.canvas.clear();
    if (state === null || frame === null) return;
    const place = this.placer(frame);
    context.fillStyle = palette.raised;
    context.fillRect(...place(frame.area));
    for (const { rect, request } of this.boxes) {
      if (!intersects({ ...rect, width: Math.max(1, rect.width), height: Math.max(1, rect.height) }, frame.area)) continue;
      context.fillStyle = palette.classes[request.place?.rankClass === RankClass.inView && request.objectClass === 'unplaced' ? 'inView' : request.objectClass];
      context.globalAlpha = request.browser === null ? UNCOME_STRENGTH : 1;
      context.fillRect(...place(rect));
      context.globalAlpha = 1;
      if (request.key !== state.selected?.key) continue;
      context.strokeStyle = palette.accent;
      context.lineWidth = 2;
      context.strokeRect(...place(rect));
    }
    const view = state.record.places?.view;
    if (view === undefined) return;
    context.strokeStyle = palette.text;
    context.lineWidth = 1.5;
    context.strokeRect(...place(view));
  }

  private placer({ area, scale }: { readonly area: Rect; readonly scale: number }): (rect: Rect) => [number, number, number, number] {
    const left = (this.canvas.width - area.width * scale) / 2;
    return ({ x, y, width, height }) => [left + (x - area.x) * scale, PADDING + (y - area.y) * scale, Math.max(MIN_BOX, width * scale), Math.max(MIN_BOX, height * scale)];
  }

  /** The smallest that is there: what lies on another one is drawn on it. */
  private requestAt(x: number, y: number): string | null {
    const { frame } = this;
    if (frame === null) return null;
    const place = this.placer(frame);
    const hit = this.boxes.filter(({ rect }) => {
      const [left, top, width, height] = place(rect);
      return x >= left && x <= left + width && y >= top && y <= top + height;
    });
    return hit.toSorted((a, b) => a.rect.width * a.rect.height - b.rect.width * b.rect.height)[0]?.request.key ?? null;
  }
}

function boxesOf({ record, shown }: PanelState): Box[] {
  const byUrl = new Map(shown.map((request) => [request.url, request]));
  return (record.places?.images ?? []).flatMap(({ url, rect }) => {
    const request = byUrl.get(url);
    return rect === null || request === undefined ? [] : [{ rect, request }];
  });
}
