import { t } from '../../ui/texts.ts';
import { budgetOf, type ServerBudget } from '../model/budget.ts';
import { create } from '../../ui/elements.ts';
import { formatBytes, formatMs, formatPercent } from '../../ui/format.ts';
import type { PanelState, View } from './panelState.ts';

/** Of a page that asks hundreds of servers nobody reads all. */
const MOST_SERVERS = 60;

/** Who had the connections: by server how many were made, how many worked at once, what they brought. */
export class Connections implements View {
  private readonly body: HTMLTableSectionElement;
  private readonly note: HTMLElement;

  constructor(table: HTMLTableElement, note: HTMLElement) {
    const heads = [t('panelColumnServer'), t('panelConnections'), t('panelAtOnce'), t('panelUseless'), t('panelRequests'), t('panelColumnBytes'), t('panelNeeded'), t('panelBusy')];
    const row = create('tr', {});
    for (const head of heads) {
      const cell = create('th', {}, head);
      cell.scope = 'col';
      row.append(cell);
    }
    table.createTHead().append(row);
    [this.body, this.note] = [table.createTBody(), note];
  }

  update({ lanes, model }: PanelState): void {
    const budgets = budgetOf(lanes, model.firstScreenMs);
    const connections = budgets.reduce((sum, budget) => sum + budget.connections, 0);
    const useless = budgets.reduce((sum, budget) => sum + budget.uselessConnections, 0);
    this.note.textContent = budgets.length === 0 ? '' : t('panelBudget', connections, budgets.length, useless);
    const mostBytes = Math.max(1, ...budgets.map(({ bytes }) => bytes));
    this.body.replaceChildren(...budgets.toSorted((a, b) => b.bytes - a.bytes).slice(0, MOST_SERVERS).map((budget) => rowOf(budget, mostBytes)));
  }
}

function rowOf(budget: ServerBudget, mostBytes: number): HTMLTableRowElement {
  const { server, connections, mostAtOnce, uselessConnections, requests, bytes, neededBytes, busyMs } = budget;
  const row = create('tr', {});
  const head = create('th', {}, server);
  head.scope = 'row';
  const bar = create('td', { className: 'bytes' }, formatBytes(bytes));
  bar.style.setProperty('--share', String(bytes / mostBytes));
  row.append(head, create('td', {}, String(connections)), create('td', {}, String(mostAtOnce)), create('td', {}, String(uselessConnections)), create('td', {}, String(requests)), bar, create('td', {}, bytes === 0 ? '–' : formatPercent(neededBytes / bytes)), create('td', {}, formatMs(busyMs)));
  return row;
}
