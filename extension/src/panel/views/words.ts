import { FetchClass } from '../../../../shared/src/fetching/fetchObject.ts';
import type { NamedBy, WaitReason } from '../../../../shared/src/requests/requestEvent.ts';
import { RankClass } from '../../../../shared/src/scheduling/rank.ts';
import { t } from '../../ui/texts.ts';
import type { ObjectClass } from '../model/objectClass.ts';
import type { PhaseKind } from '../model/phases.ts';
import type { Reason } from '../model/why.ts';
import { formatMs, formatNumber } from '../../ui/format.ts';

const CLASS_WORDS: Readonly<Record<ObjectClass, () => string>> = {
  layout: () => t('panelClassLayout'),
  inView: () => t('panelClassInView'),
  unplaced: () => t('panelClassUnplaced'),
  other: () => t('panelClassOther'),
};

export function classWord(objectClass: ObjectClass): string {
  return CLASS_WORDS[objectClass]();
}

const PHASE_WORDS: Readonly<Record<PhaseKind, () => string>> = {
  gate: () => t('panelPhaseGate'),
  queue: () => t('panelPhaseQueue'),
  connect: () => t('panelPhaseConnect'),
  wait: () => t('panelPhaseWait'),
  transfer: () => t('panelPhaseTransfer'),
  stop: () => t('panelPhaseStop'),
  kept: () => t('panelPhaseKept'),
};

export function phaseWord(kind: PhaseKind): string {
  return PHASE_WORDS[kind]();
}

/** A connection as people count them: the helper's by its number, the browser's by the browser's. */
export function connectionWord(connection: string): string {
  if (connection === '') return t('panelNoConnection');
  return connection.startsWith('h') ? t('panelHelperConnection', connection.slice(1)) : t('panelBrowserConnection', connection);
}

const FORESEEN_TEXTS: Readonly<Record<NamedBy, (at: string) => string>> = {
  document: (at) => t('panelWhyForeseenDocument', at),
  styleSheet: (at) => t('panelWhyForeseenSheet', at),
  memory: (at) => t('panelWhyForeseenMemory', at),
  browser: (at) => t('panelWhyForeseenBrowser', at),
};

const WAIT_TEXTS: Readonly<Record<WaitReason, (lasts: string) => string>> = {
  connection: (lasts) => t('panelWhyWaitConnection', lasts),
  slot: (lasts) => t('panelWhyWaitSlot', lasts),
  collecting: (lasts) => t('panelWhyWaitCollecting', lasts),
  order: (lasts) => t('panelWhyWaitOrder', lasts),
};

const FETCH_CLASS_WORDS: Readonly<Record<FetchClass, () => string>> = {
  [FetchClass.layout]: CLASS_WORDS.layout,
  [FetchClass.inView]: CLASS_WORDS.inView,
  [FetchClass.unplaced]: CLASS_WORDS.unplaced,
  [FetchClass.offScreen]: () => t('panelRankOffScreen'),
  [FetchClass.undisplayed]: () => t('panelRankUndisplayed'),
};

/** Why a request was where it was, a sentence each. */
export function reasonText(reason: Reason): string {
  switch (reason.type) {
    case 'class':
      return reason.objectClass === 'layout' ? t('panelWhyLayout') : reason.objectClass === 'inView' ? t('panelWhyInView') : reason.objectClass === 'unplaced' ? t('panelWhyUnplaced') : t('panelWhyOther');
    case 'place':
      return reason.rankClass === RankClass.offScreen ? t('panelWhyDistance', formatNumber(reason.distance)) : reason.rankClass === RankClass.undisplayed ? t('panelWhyUndisplayed') : t('panelWhyPlaceInView');
    case 'cached':
      return t('panelWhyCached');
    case 'foreseen':
      return [reason.by === null ? t('panelWhyForeseen', formatMs(reason.atMs)) : FORESEEN_TEXTS[reason.by](formatMs(reason.atMs)), reason.aheadMs === null ? t('panelWhyNeverAsked') : t('panelWhyAskedLater', formatMs(reason.aheadMs))].join(' ');
    case 'deferred':
      return t('panelWhyDeferred');
    case 'gate':
      return t('panelWhyGate', formatMs(reason.lastsMs));
    case 'browserQueue':
      return t('panelWhyBrowserQueue', formatMs(reason.lastsMs));
    case 'waited':
      return WAIT_TEXTS[reason.reason](formatMs(reason.lastsMs));
    case 'connected':
      return t('panelWhyConnected', formatMs(reason.lastsMs));
    case 'ranked':
      return t('panelWhyRanked', formatMs(reason.atMs), FETCH_CLASS_WORDS[reason.fetchClass]());
    case 'stopped':
      return t('panelWhyStopped', reason.times, formatMs(reason.lastsMs));
    case 'kept':
      return t('panelWhyKept', formatMs(reason.lastsMs));
    case 'underWay':
      return t('panelWhyUnderWay');
    case 'lost':
      return t('panelWhyLost');
  }
}
