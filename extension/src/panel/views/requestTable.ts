import { t } from '../../ui/texts.ts';
import type { PanelRequest } from '../model/panelRequest.ts';
import { COLUMNS, sorted, type Column, type Sorting } from '../model/sortRequests.ts';
import { create } from '../../ui/elements.ts';
import { formatBytes, formatMs } from '../../ui/format.ts';
import type { Chooser, PanelState, View } from './panelState.ts';
import { classWord, connectionWord } from './words.ts';

/** CSS pixels; panel.css has the same. */
const ROW_HEIGHT = 24;
/** Of the columns' names, which stay in sight. */
const HEAD_HEIGHT = 30;
/** Above and below what is seen, so that a scroll finds rows. */
const EXTRA_ROWS = 6;
const PAGE_ROWS = 10;

const COLUMN_WORDS: Readonly<Record<Column, () => string>> = {
  name: () => t('panelColumnName'),
  server: () => t('panelColumnServer'),
  connection: () => t('panelColumnConnection'),
  class: () => t('panelColumnClass'),
  status: () => t('panelColumnStatus'),
  bytes: () => t('panelColumnBytes'),
  begin: () => t('panelColumnBegin'),
  lasts: () => t('panelColumnLasts'),
  end: () => t('panelColumnEnd'),
};

const CELL_TEXTS: Readonly<Record<Column, (request: PanelRequest) => string>> = {
  name: ({ name }) => name,
  server: ({ server }) => server,
  connection: ({ connection }) => connectionWord(connection),
  class: ({ isForeseen, objectClass }) => (isForeseen ? t('panelForeseenClass', classWord(objectClass)) : classWord(objectClass)),
  status: ({ browser }) => (browser === null ? t('panelUnderWay') : browser.status === 0 ? t('panelFailed') : String(browser.status)),
  bytes: ({ browser, bytes }) => (browser?.isCached === true ? t('panelCached') : formatBytes(bytes)),
  begin: ({ beginMs }) => formatMs(beginMs),
  lasts: ({ beginMs, endMs }) => formatMs(endMs - beginMs),
  end: ({ endMs }) => formatMs(endMs),
};

/** The same requests as the waterfall has, in rows that can be sorted and heard; of thousands only those that are seen are made. */
export class RequestTable implements View {
  private readonly table: HTMLTableElement;
  private readonly body: HTMLTableSectionElement;
  private readonly scroller: HTMLElement;
  private readonly chooser: Chooser;
  private readonly heads = new Map<Column, HTMLTableCellElement>();
  private sorting: Sorting = { column: 'begin', isDescending: false };
  private state: PanelState | null = null;
  private rows: readonly PanelRequest[] = [];
  private selectedKey: string | null = null;

  constructor(table: HTMLTableElement, scroller: HTMLElement, chooser: Chooser) {
    [this.table, this.scroller, this.chooser] = [table, scroller, chooser];
    table.createTHead().append(this.headRow());
    this.body = table.createTBody();
    scroller.addEventListener('scroll', () => this.draw(), { passive: true });
    table.addEventListener('keydown', (event) => this.key(event));
    this.body.addEventListener('click', ({ target }) => {
      const key = target instanceof Element ? target.closest<HTMLElement>('tr[data-key]')?.dataset['key'] : undefined;
      if (key !== undefined) chooser.select(key);
    });
    new ResizeObserver(() => this.draw()).observe(scroller);
  }

  update(state: PanelState): void {
    if (state.shown !== this.state?.shown) this.rows = sorted(state.shown, this.sorting);
    this.state = state;
    const key = state.selected?.key ?? null;
    if (key !== this.selectedKey) {
      this.selectedKey = key;
      this.reveal();
    }
    this.draw();
  }

  private headRow(): HTMLTableRowElement {
    const row = create('tr', {});
    for (const column of COLUMNS) {
      const cell = create('th', {});
      cell.scope = 'col';
      cell.className = column;
      const button = create('button', {}, COLUMN_WORDS[column]());
      button.type = 'button';
      button.addEventListener('click', () => this.sortBy(column));
      cell.append(button);
      this.heads.set(column, cell);
      row.append(cell);
    }
    return row;
  }

  private sortBy(column: Column): void {
    this.sorting = { column, isDescending: this.sorting.column === column && !this.sorting.isDescending };
    this.rows = sorted(this.state?.shown ?? [], this.sorting);
    this.draw();
  }

  private reveal(): void {
    const place = this.rows.findIndex(({ key }) => key === this.selectedKey);
    if (place < 0) return;
    const top = place * ROW_HEIGHT;
    const seen = this.scroller.clientHeight - HEAD_HEIGHT;
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    else if (top + ROW_HEIGHT > this.scroller.scrollTop + seen) this.scroller.scrollTop = top + ROW_HEIGHT - seen;
  }

  private draw(): void {
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW_HEIGHT) - EXTRA_ROWS);
    const last = Math.min(this.rows.length, Math.ceil((this.scroller.scrollTop + this.scroller.clientHeight) / ROW_HEIGHT) + EXTRA_ROWS);
    this.table.setAttribute('aria-rowcount', String(this.rows.length + 1));
    for (const [column, cell] of this.heads) cell.ariaSort = column !== this.sorting.column ? 'none' : this.sorting.isDescending ? 'descending' : 'ascending';
    const made = this.rows.slice(first, last).map((request, place) => this.row(request, first + place));
    this.body.replaceChildren(spaceOf(first), ...made, spaceOf(this.rows.length - last));
    const isSeen = made.some(({ id }) => id === rowId(this.selectedKey ?? ''));
    if (isSeen) this.table.setAttribute('aria-activedescendant', rowId(this.selectedKey ?? ''));
    else this.table.removeAttribute('aria-activedescendant');
  }

  private row(request: PanelRequest, place: number): HTMLTableRowElement {
    const row = create('tr', {});
    row.id = rowId(request.key);
    row.dataset['key'] = request.key;
    row.ariaRowIndex = String(place + 2);
    row.ariaSelected = String(request.key === this.selectedKey);
    for (const column of COLUMNS) {
      const cell = create('td', { className: column }, CELL_TEXTS[column](request));
      // columns are narrow in some languages
      cell.title = column === 'name' ? request.url : cell.textContent;
      if (column === 'class') cell.dataset['class'] = request.objectClass;
      row.append(cell);
    }
    return row;
  }

  private key(event: KeyboardEvent): void {
    if (event.target !== this.table) return;
    const place = this.rows.findIndex(({ key }) => key === this.selectedKey);
    const targets: Readonly<Record<string, number>> = { ArrowDown: place + 1, ArrowUp: Math.max(0, place - 1), PageDown: place + PAGE_ROWS, PageUp: Math.max(0, place - PAGE_ROWS), Home: 0, End: this.rows.length - 1 };
    const target = targets[event.key];
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = this.rows[Math.min(target, this.rows.length - 1)];
    if (next !== undefined) this.chooser.select(next.key);
  }
}

function rowId(key: string): string {
  return `row-${key}`;
}

/** Stands for rows that are not seen. */
function spaceOf(rows: number): HTMLTableRowElement {
  const row = create('tr', { className: 'space' });
  row.style.blockSize = `${rows * ROW_HEIGHT}px`;
  row.setAttribute('aria-hidden', 'true');
  return row;
}
