import type { TimeShares } from '../../../../shared/src/waterfall/timeShares.ts';
import { t } from '../../ui/texts.ts';
import { make, setText } from './element.ts';
import { formatBytes, formatMs, formatRate } from '../../ui/format.ts';
import type { PanelState, View } from './panelState.ts';

const PARTS = ['neededMs', 'wasteMs', 'idleMs'] as const;
type Part = (typeof PARTS)[number];

const PERCENT = 100;

/** The time until the first screen as needed, waste and idle: this load, and the same page without Firstscreen where that was seen. */
export class ShareBars implements View {
  private readonly list: HTMLElement;
  private readonly note: HTMLElement;

  constructor(list: HTMLElement, note: HTMLElement) {
    [this.list, this.note] = [list, note];
  }

  update({ model, record, twin }: PanelState): void {
    const { shares, firstScreenMs, rate, neededBytes, wastedBytes } = model;
    setText(this.note, this.noteOf(model, record.needs !== null));
    const rows: [string, number, TimeShares][] = [];
    if (shares !== null && firstScreenMs !== null) rows.push([record.isHelped === false ? t('panelWithout') : t('panelThisLoad'), firstScreenMs, shares]);
    if (twin !== null) rows.push([record.isHelped === false ? t('panelTwinWith') : t('panelTwinWithout'), twin.firstScreenMs, twin.shares]);
    const longestMs = Math.max(1, ...rows.map(([, ms]) => ms));
    this.list.replaceChildren(...rows.map(([label, ms, parts]) => barOf(label, ms, parts, longestMs)));
    this.list.title = shares === null ? '' : t('panelSharesTitle', formatBytes(neededBytes), formatBytes(wastedBytes), formatRate(rate?.bitsPerSecond ?? null));
  }

  private noteOf({ shares, firstScreenMs, rate, requests }: PanelState['model'], hasNeeds: boolean): string {
    if (requests.length === 0) return t('panelEmpty');
    if (firstScreenMs === null) return hasNeeds ? t('panelWaitingForObjects') : t('panelWaitingForRest');
    if (shares === null) return t('panelNoRate');
    return rate?.isMeasured === true ? t('panelRateEstimated', formatRate(rate.bitsPerSecond)) : t('panelRateSeen', formatRate(rate?.bitsPerSecond ?? null));
  }
}

function barOf(label: string, totalMs: number, shares: TimeShares, longestMs: number): HTMLElement {
  const row = make('li', '', 'share-row');
  const bar = make('span', '', 'share-bar');
  for (const part of PARTS) {
    const piece = make('span', '', `share ${part}`);
    piece.style.inlineSize = `${(PERCENT * shares[part]) / longestMs}%`;
    bar.append(piece);
  }
  bar.setAttribute('aria-hidden', 'true');
  row.append(make('span', label, 'share-label'), bar, make('strong', formatMs(totalMs)), make('span', PARTS.map((part) => `${nameOf(part)} ${formatMs(shares[part])}`).join(' · '), 'share-parts'));
  return row;
}

function nameOf(part: Part): string {
  switch (part) {
    case 'neededMs':
      return t('panelNeeded');
    case 'wasteMs':
      return t('panelWaste');
    case 'idleMs':
      return t('panelIdle');
  }
}
