import { t } from '../../ui/texts.ts';
import type { PanelRequest } from '../model/panelRequest.ts';
import { durations, PHASE_KINDS } from '../model/phases.ts';
import { reasonsOf } from '../model/why.ts';
import { create } from '../../ui/elements.ts';
import { formatBytes, formatMs } from '../../ui/format.ts';
import type { PanelState, View } from './panelState.ts';
import { connectionWord, phaseWord, reasonText } from './words.ts';

/** What there is to say of one request: where its time went, and why it was where it was. */
export class Detail implements View {
  private readonly element: HTMLElement;
  private state: PanelState | null = null;
  private hovered: string | null = null;
  private last = '';

  constructor(element: HTMLElement) {
    this.element = element;
  }

  update(state: PanelState): void {
    this.state = state;
    this.draw();
  }

  /** While the pointer is on a request, that is told of instead of the selected one. */
  hover(key: string | null): void {
    this.hovered = key;
    this.draw();
  }

  private draw(): void {
    const { state } = this;
    if (state === null) return;
    const request = state.shown.find(({ key }) => key === this.hovered) ?? state.selected;
    const content = request === null ? [create('p', { className: 'quiet' }, t('panelSelectOne'))] : contentOf(request, state.model.startMs);
    // a screen reader is told again only what is new
    const text = content.map(({ textContent }) => textContent).join('\n');
    if (text === this.last) return;
    this.last = text;
    this.element.replaceChildren(...content);
  }
}

function contentOf(request: PanelRequest, loadStartMs: number): HTMLElement[] {
  const { browser, phases, bytes, server, connection } = request;
  const title = create('h2', {}, request.name);
  title.title = request.url;
  const where = create('p', { className: 'quiet' }, [server, connectionWord(connection), browser?.httpVersion ?? '', browser === null || browser.status === 0 ? '' : String(browser.status), formatBytes(bytes)].filter((part) => part !== '').join(' · '));
  const lasts = durations(phases);
  const times = create('dl', {});
  for (const kind of PHASE_KINDS) if (lasts[kind] > 0) times.append(create('dt', {}, phaseWord(kind)), create('dd', {}, formatMs(lasts[kind])));
  const span = create('p', {}, t('panelFromTo', formatMs(request.beginMs), formatMs(request.endMs)));
  const reasons = create('ul', { className: 'reasons' });
  reasons.append(...reasonsOf(request, loadStartMs).map((reason) => create('li', {}, reasonText(reason))));
  return [title, where, span, times, create('h3', {}, t('panelWhy')), reasons];
}
