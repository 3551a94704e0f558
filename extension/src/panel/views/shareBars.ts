import type { TimeShares } from '../../../../shared/src/waterfall/timeShares.ts';
import { language, t } from '../../ui/texts.ts';
import type { Twin } from '../model/loadRecord.ts';
import { create, setText } from '../../ui/elements.ts';
import { formatBytes, formatMs, formatRate } from '../../ui/format.ts';
import type { PanelState, View } from './panelState.ts';

const PARTS = ['neededMs', 'wasteMs', 'idleMs'] as const;
type Part = (typeof PARTS)[number];
const PART_WORDS: Readonly<Record<Part, () => string>> = {
  neededMs: () => t('panelNeeded'),
  wasteMs: () => t('panelWaste'),
  idleMs: () => t('panelIdle'),
};

const PERCENT = 100;

/** The time until the first screen as needed, waste and idle: this load, and the same page without Firstscreen where that was seen, or measured. */
export class ShareBars implements View {
  private readonly list: HTMLElement;
  private readonly note: HTMLElement;
  private readonly twinNote: HTMLElement;

  /** @param twinNote what the load is compared with, or how to get that */
  constructor(list: HTMLElement, note: HTMLElement, twinNote: HTMLElement) {
    [this.list, this.note, this.twinNote] = [list, note, twinNote];
  }

  update({ model, record, twin, help }: PanelState): void {
    const { shares, firstScreenMs, rate, neededBytes, wastedBytes } = model;
    setText(this.note, this.noteOf(model, record.needs !== null));
    const rows: [string, number, TimeShares][] = [];
    if (shares !== null && firstScreenMs !== null) rows.push([record.isHelped === false ? t('panelWithout') : t('panelThisLoad'), firstScreenMs, shares]);
    if (twin !== null) rows.push([labelOf(twin), twin.load.firstScreenMs, twin.load.shares]);
    // a recording from a file that was compared with nothing stays so
    setText(this.twinNote, rows.length === 0 || (help === null && twin === null) ? '' : twinText(twin, record.isHelped));
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

function labelOf(twin: Twin): string {
  if (twin.kind === 'measured') return t('panelTwinMeasured');
  return twin.isHelped ? t('panelTwinWith') : t('panelTwinWithout');
}

/** Of what was measured when and on which link; where there is no twin, how to get one. */
function twinText(twin: Twin | null, isHelped: boolean | null): string {
  if (twin === null) return isHelped === false ? t('panelNoTwinWith') : t('panelNoTwinWithout');
  if (twin.kind === 'seen') return '';
  const { atMs, link, loads, isThisLink } = twin;
  const when = new Date(atMs).toLocaleString(language(), { dateStyle: 'medium', timeStyle: 'short' });
  const text = t('panelTwinMeasuredOf', when, formatRate(link.rateBitsPerSecond), formatMs(link.rttMs), loads);
  return isThisLink ? text : `${text} ${t('panelTwinOtherLink')}`;
}

function barOf(label: string, totalMs: number, shares: TimeShares, longestMs: number): HTMLElement {
  const row = create('li', { className: 'share-row' });
  const bar = create('span', { className: 'share-bar' });
  for (const part of PARTS) {
    const piece = create('span', { className: `share ${part}` });
    piece.style.inlineSize = `${(PERCENT * shares[part]) / longestMs}%`;
    bar.append(piece);
  }
  bar.setAttribute('aria-hidden', 'true');
  row.append(create('span', { className: 'share-label' }, label), bar, create('strong', {}, formatMs(totalMs)), create('span', { className: 'share-parts' }, PARTS.map((part) => `${PART_WORDS[part]()} ${formatMs(shares[part])}`).join(' · ')));
  return row;
}
