import { beginOf, type Placed } from '../../../../shared/src/waterfall/bars.ts';
import { ticks } from '../../../../shared/src/waterfall/ticks.ts';
import { t } from '../../ui/texts.ts';
import type { PanelRequest } from '../model/panelRequest.ts';
import type { PhaseKind } from '../model/phases.ts';
import { panned, showing, wholeView, zoomed, type TimeView } from '../model/timeView.ts';
import { BAR_HEIGHT, ROW_HEIGHT, SERVER_HEIGHT, between, requestAt, topOf, waterfallLayout, type PlacedLane, type PlacedServer, type WaterfallLayout } from '../model/waterfallLayout.ts';
import { SharpCanvas } from './canvas.ts';
import { formatMs } from '../../ui/format.ts';
import type { Palette } from './palette.ts';
import type { Chooser, PanelState, View } from './panelState.ts';
import { connectionWord } from './words.ts';

/** CSS pixels. */
const GUTTER = 170;
const RULER = 22;
const RIGHT = 12;
const TICK_WIDTH = 90;
const MARK = 7;
const MAX_LABEL_CHARS = 26;
const HOVER_SLACK = 4;
const DRAG_START = 4;
/** A wheel's step, as a power of the length that is seen. */
const ZOOM_PER_PIXEL = 0.0015;
const ZOOM_STEP = 0.7;
const PAN_STEP = 0.15;

/** What is nearer to the bytes is stronger; stops are hatched. */
const STRENGTHS: Readonly<Record<Exclude<PhaseKind, 'stop'>, number>> = { gate: 0.16, queue: 0.26, connect: 0.4, wait: 0.55, transfer: 1, kept: 0.3 };
/** Of phases that are no part of the way over the link: drawn as a line, not as a bar. */
const THIN: ReadonlySet<PhaseKind> = new Set(['gate', 'queue', 'kept', 'stop']);

export interface WaterfallHost extends Chooser {
  /** The pointer is on a request; null when on none. */
  hover(key: string | null): void;
}

/**
 * The requests by server and connection, drawn by hand: of thousands only those that are seen. The table beside it holds
 * the same for who can not see it.
 */
export class Waterfall implements View {
  private readonly canvas: SharpCanvas;
  private readonly scroller: HTMLElement;
  private readonly spacer: HTMLElement;
  private readonly host: WaterfallHost;
  private palette: Palette;
  private state: PanelState | null = null;
  private layout: WaterfallLayout = { servers: [], lanes: [], height: 0 };
  private view: TimeView = { fromMs: 0, toMs: 1_000 };
  /** Until a person has chosen what is seen, that is everything. */
  private isFitted = true;
  private loadStartMs = 0;
  private hovered: string | null = null;
  private isDrawing = false;

  /** @param scroller around the canvas, which stands still in it @param spacer as high as all that can be seen */
  constructor(element: HTMLCanvasElement, scroller: HTMLElement, spacer: HTMLElement, palette: Palette, host: WaterfallHost) {
    [this.scroller, this.spacer, this.palette, this.host] = [scroller, spacer, palette, host];
    this.canvas = new SharpCanvas(element, () => this.draw());
    scroller.addEventListener('scroll', () => this.drawSoon(), { passive: true });
    scroller.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    element.addEventListener('keydown', (event) => this.key(event));
    element.addEventListener('pointermove', (event) => this.pointed(event));
    element.addEventListener('pointerleave', () => this.hover(null));
    element.addEventListener('pointerdown', (event) => this.pressed(event));
    element.addEventListener('dblclick', () => this.fit());
  }

  setPalette(palette: Palette): void {
    this.palette = palette;
    this.drawSoon();
  }

  update(state: PanelState): void {
    const selectedBefore = this.state?.selected?.key ?? null;
    if (state.model.startMs !== this.loadStartMs) [this.loadStartMs, this.isFitted] = [state.model.startMs, true];
    if (state.lanes !== this.state?.lanes) {
      this.layout = waterfallLayout(state.lanes);
      this.spacer.style.blockSize = `${this.layout.height + RULER}px`;
    }
    this.state = state;
    if (this.isFitted) this.view = wholeView(state.model.firstScreenMs, state.model.endMs);
    const { selected } = state;
    if (selected !== null && selected.key !== selectedBefore) this.reveal(selected);
    this.canvas.element.setAttribute('aria-label', t('panelWaterfallLabel', state.shown.length, this.layout.lanes.length, this.layout.servers.length));
    this.draw();
  }

  private reveal(request: PanelRequest): void {
    const top = topOf(this.layout, request.key);
    if (top === null) return;
    if (!this.isFitted) this.view = showing(this.view, { fromMs: beginOf(request), toMs: request.endMs }, this.endMs);
    const seen = this.canvas.height - RULER;
    const { scrollTop } = this.scroller;
    if (top < scrollTop) this.scroller.scrollTop = top - SERVER_HEIGHT;
    else if (top + ROW_HEIGHT > scrollTop + seen) this.scroller.scrollTop = top + 2 * ROW_HEIGHT - seen;
  }

  private get endMs(): number {
    return this.state?.model.endMs ?? 0;
  }

  private get pixelsPerMs(): number {
    return Math.max(1, this.canvas.width - GUTTER - RIGHT) / (this.view.toMs - this.view.fromMs);
  }

  private x(ms: number): number {
    return GUTTER + (ms - this.view.fromMs) * this.pixelsPerMs;
  }

  private msAt(x: number): number {
    return this.view.fromMs + (x - GUTTER) / this.pixelsPerMs;
  }

  private look(view: TimeView): void {
    [this.view, this.isFitted] = [view, false];
    this.drawSoon();
  }

  private fit(): void {
    this.isFitted = true;
    if (this.state !== null) this.view = wholeView(this.state.model.firstScreenMs, this.endMs);
    this.drawSoon();
  }

  private drawSoon(): void {
    if (this.isDrawing) return;
    this.isDrawing = true;
    requestAnimationFrame(() => {
      this.isDrawing = false;
      this.draw();
    });
  }

  private draw(): void {
    const { canvas: { context, width, height }, state } = this;
    this.canvas.clear();
    if (state === null || width === 0) return;
    const { scrollTop } = this.scroller;
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.save();
    context.beginPath();
    context.rect(0, RULER, width, height - RULER);
    context.clip();
    context.translate(0, RULER - scrollTop);
    this.drawGrid(scrollTop, height);
    for (const placed of between(this.layout.lanes, scrollTop, scrollTop + height)) this.drawLane(placed, scrollTop, height);
    for (const server of between(this.layout.servers, scrollTop, scrollTop + height)) this.drawServer(server, scrollTop);
    context.restore();
    this.drawRuler(state);
  }

  /** Its name stays in sight while its connections are. */
  private drawServer({ server, connections, top, bottom }: PlacedServer, scrollTop: number): void {
    const { canvas: { context, width }, palette } = this;
    const y = Math.min(Math.max(top, scrollTop), bottom - SERVER_HEIGHT);
    context.fillStyle = palette.ground;
    context.fillRect(0, y, y === top ? width : GUTTER, SERVER_HEIGHT);
    context.fillStyle = palette.line;
    context.fillRect(0, top, width, 1);
    context.fillStyle = palette.text;
    context.fillText(shortened(server), 8, y + SERVER_HEIGHT / 2);
    context.fillStyle = palette.quiet;
    if (y === top) context.fillText(t('panelConnectionCount', connections), GUTTER + 4, y + SERVER_HEIGHT / 2);
  }

  private drawGrid(scrollTop: number, height: number): void {
    const { canvas: { context }, palette } = this;
    context.fillStyle = palette.line;
    for (const ms of this.ticks) context.fillRect(Math.round(this.x(ms)), scrollTop, 1, height);
  }

  private get ticks(): number[] {
    return ticks(this.view.fromMs, this.view.toMs, Math.max(1, Math.floor((this.canvas.width - GUTTER) / TICK_WIDTH)));
  }

  private drawLane({ lane, top, bottom }: PlacedLane, scrollTop: number, height: number): void {
    const { canvas: { context, width }, palette } = this;
    const labelY = top + ROW_HEIGHT / 2;
    if (bottom - top >= ROW_HEIGHT) {
      context.fillStyle = palette.quiet;
      context.fillText(connectionWord(lane.connection), 18, labelY);
    }
    context.save();
    context.beginPath();
    context.rect(GUTTER, top - 2, width - GUTTER, bottom - top + 4);
    context.clip();
    const { opening } = lane;
    if (opening !== null && opening.toMs !== null) {
      context.fillStyle = palette.quiet;
      context.fillRect(this.x(opening.fromMs), labelY - 1.5, Math.max(1, this.x(opening.toMs) - this.x(opening.fromMs)), 3);
    }
    const [firstRow, lastRow] = [Math.floor((scrollTop - top) / ROW_HEIGHT), Math.ceil((scrollTop + height - top) / ROW_HEIGHT)];
    for (const bar of lane.bars) {
      // in the order of their beginning
      if (beginOf(bar) > this.view.toMs) break;
      if (bar.row >= firstRow && bar.row <= lastRow && bar.endMs >= this.view.fromMs) this.drawBar(bar, top + bar.row * ROW_HEIGHT);
    }
    context.restore();
  }

  private drawBar(bar: Placed<PanelRequest>, y: number): void {
    const { canvas: { context }, palette } = this;
    const color = palette.classes[bar.objectClass];
    for (const { kind, fromMs, toMs } of bar.phases) {
      const [left, right] = [this.x(fromMs), this.x(toMs)];
      const isThin = THIN.has(kind);
      context.fillStyle = kind === 'stop' ? palette.hatches[bar.objectClass] : color;
      context.globalAlpha = kind === 'stop' ? 1 : STRENGTHS[kind];
      context.fillRect(left, isThin ? y + BAR_HEIGHT / 4 : y, Math.max(1, right - left), isThin ? BAR_HEIGHT / 2 : BAR_HEIGHT);
    }
    context.globalAlpha = 1;
    if (bar.phases.length === 0) {
      context.fillStyle = color;
      context.fillRect(this.x(bar.beginMs), y, 2, BAR_HEIGHT);
    }
    if (bar.isForeseen) this.drawForeseen(this.x(bar.beginMs), y, color);
    if (bar.key === this.state?.selected?.key || bar.key === this.hovered) {
      context.strokeStyle = bar.key === this.hovered ? palette.text : palette.accent;
      context.lineWidth = 1.5;
      context.strokeRect(this.x(bar.beginMs) - 1.5, y - 1, Math.max(3, this.x(bar.endMs) - this.x(bar.beginMs)) + 3, BAR_HEIGHT + 2);
    }
  }

  /** Asked for before the browser did: a wedge at its beginning. */
  private drawForeseen(x: number, y: number, color: string): void {
    const { context } = this.canvas;
    context.fillStyle = color;
    context.beginPath();
    context.moveTo(x - MARK, y);
    context.lineTo(x, y + BAR_HEIGHT / 2);
    context.lineTo(x - MARK, y + BAR_HEIGHT);
    context.fill();
  }

  private drawRuler({ model: { firstScreenMs, paintMs } }: PanelState): void {
    const { canvas: { context, width, height }, palette } = this;
    context.fillStyle = palette.raised;
    context.fillRect(0, 0, width, RULER);
    context.textAlign = 'center';
    context.fillStyle = palette.quiet;
    for (const ms of this.ticks) context.fillText(formatMs(ms), this.x(ms), RULER / 2);
    context.textAlign = 'start';
    if (paintMs !== null) this.drawMoment(paintMs, t('panelPaint'), palette.accent, height - 8);
    if (firstScreenMs !== null) this.drawMoment(firstScreenMs, t('panelFirstScreenAt', formatMs(firstScreenMs)), palette.good, height - 22);
  }

  private drawMoment(ms: number, label: string, color: string, labelY: number): void {
    const { canvas: { context, width, height }, palette } = this;
    const x = this.x(ms);
    if (x < GUTTER || x > width) return;
    context.fillStyle = color;
    context.fillRect(Math.round(x) - 1, 0, 2, height);
    const labelWidth = context.measureText(label).width;
    const left = x + 5 + labelWidth > width ? x - 5 - labelWidth : x + 5;
    context.fillStyle = palette.ground;
    context.fillRect(left - 2, labelY - 7, labelWidth + 4, 14);
    context.fillStyle = color;
    context.fillText(label, left, labelY);
  }

  private requestAt({ offsetX, offsetY }: MouseEvent): string | null {
    if (offsetX < GUTTER || offsetY < RULER) return null;
    return requestAt(this.layout, offsetY - RULER + this.scroller.scrollTop, this.msAt(offsetX), HOVER_SLACK / this.pixelsPerMs)?.key ?? null;
  }

  private hover(key: string | null): void {
    if (key === this.hovered) return;
    this.hovered = key;
    this.canvas.element.style.cursor = key === null ? '' : 'pointer';
    this.host.hover(key);
    this.drawSoon();
  }

  private pointed(event: PointerEvent): void {
    if (event.buttons === 0) this.hover(this.requestAt(event));
  }

  /** A press without a move selects; with one it moves what is seen. */
  private pressed(event: PointerEvent): void {
    if (event.button !== 0) return;
    const { element } = this.canvas;
    const [startX, startY, view, top] = [event.clientX, event.clientY, this.view, this.scroller.scrollTop];
    let isDragged = false;
    const moved = (move: PointerEvent): void => {
      const [byX, byY] = [move.clientX - startX, move.clientY - startY];
      isDragged ||= Math.hypot(byX, byY) > DRAG_START;
      if (!isDragged) return;
      this.look(panned(view, -byX / this.pixelsPerMs, this.endMs));
      this.scroller.scrollTop = top - byY;
    };
    const released = (): void => {
      element.removeEventListener('pointermove', moved);
      if (!isDragged) this.host.select(this.requestAt(event));
    };
    element.setPointerCapture(event.pointerId);
    element.addEventListener('pointermove', moved);
    element.addEventListener('lostpointercapture', released, { once: true });
  }

  /** By itself the wheel goes through the requests; with Ctrl it zooms, with Shift, or sideways, it moves along the time. */
  private wheel(event: WheelEvent): void {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.look(zoomed(this.view, Math.exp(event.deltaY * ZOOM_PER_PIXEL), this.msAt(Math.max(GUTTER, event.offsetX)), this.endMs));
      return;
    }
    const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    if (sideways === 0) return;
    event.preventDefault();
    this.look(panned(this.view, sideways / this.pixelsPerMs, this.endMs));
  }

  private key(event: KeyboardEvent): void {
    const length = this.view.toMs - this.view.fromMs;
    const middle = (this.view.fromMs + this.view.toMs) / 2;
    const actions: Readonly<Record<string, () => void>> = {
      '+': () => this.look(zoomed(this.view, ZOOM_STEP, middle, this.endMs)),
      '=': () => this.look(zoomed(this.view, ZOOM_STEP, middle, this.endMs)),
      '-': () => this.look(zoomed(this.view, 1 / ZOOM_STEP, middle, this.endMs)),
      '0': () => this.fit(),
      ArrowLeft: () => this.look(panned(this.view, -PAN_STEP * length, this.endMs)),
      ArrowRight: () => this.look(panned(this.view, PAN_STEP * length, this.endMs)),
      ArrowDown: () => this.step(1),
      ArrowUp: () => this.step(-1),
      Escape: () => this.host.select(null),
    };
    const action = actions[event.key];
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  }

  /** To the next request as they are drawn, from top to bottom. */
  private step(by: 1 | -1): void {
    const inOrder = this.layout.lanes.flatMap(({ lane }) => lane.bars);
    const place = inOrder.findIndex(({ key }) => key === this.state?.selected?.key);
    const next = inOrder[place < 0 ? (by > 0 ? 0 : inOrder.length - 1) : place + by];
    if (next !== undefined) this.host.select(next.key);
  }
}

/** Its end tells servers of one site apart less than its beginning. */
function shortened(server: string): string {
  return server.length > MAX_LABEL_CHARS ? `${server.slice(0, MAX_LABEL_CHARS - 1)}…` : server;
}
