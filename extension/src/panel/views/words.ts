import { FetchClass } from '../../../../shared/src/fetching/fetchObject.ts';
import type { NamedBy, WaitReason } from '../../../../shared/src/requests/requestEvent.ts';
import { RankClass } from '../../../../shared/src/scheduling/rank.ts';
import { t } from '../../ui/texts.ts';
import type { ObjectClass } from '../model/objectClass.ts';
import type { PhaseKind } from '../model/phases.ts';
import type { Reason } from '../model/why.ts';
import { formatMs, formatNumber } from '../../ui/format.ts';

export function classWord(objectClass: ObjectClass): string {
  switch (objectClass) {
    case 'layout':
      return t('panelClassLayout');
    case 'inView':
      return t('panelClassInView');
    case 'unplaced':
      return t('panelClassUnplaced');
    case 'other':
      return t('panelClassOther');
  }
}

export function phaseWord(kind: PhaseKind): string {
  switch (kind) {
    case 'gate':
      return t('panelPhaseGate');
    case 'queue':
      return t('panelPhaseQueue');
    case 'connect':
      return t('panelPhaseConnect');
    case 'wait':
      return t('panelPhaseWait');
    case 'transfer':
      return t('panelPhaseTransfer');
    case 'stop':
      return t('panelPhaseStop');
    case 'kept':
      return t('panelPhaseKept');
  }
}

/** A connection as people count them: the helper's by its number, the browser's by the browser's. */
export function connectionWord(connection: string): string {
  if (connection === '') return t('panelNoConnection');
  return connection.startsWith('h') ? t('panelHelperConnection', connection.slice(1)) : t('panelBrowserConnection', connection);
}

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
      return [foreseenText(reason.by, formatMs(reason.atMs)), reason.aheadMs === null ? t('panelWhyNeverAsked') : t('panelWhyAskedLater', formatMs(reason.aheadMs))].join(' ');
    case 'deferred':
      return t('panelWhyDeferred');
    case 'gate':
      return t('panelWhyGate', formatMs(reason.lastsMs));
    case 'browserQueue':
      return t('panelWhyBrowserQueue', formatMs(reason.lastsMs));
    case 'waited':
      return waitText(reason.reason, formatMs(reason.lastsMs));
    case 'connected':
      return t('panelWhyConnected', formatMs(reason.lastsMs));
    case 'ranked':
      return t('panelWhyRanked', formatMs(reason.atMs), fetchClassWord(reason.fetchClass));
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

function foreseenText(by: NamedBy | null, at: string): string {
  switch (by) {
    case 'document':
      return t('panelWhyForeseenDocument', at);
    case 'styleSheet':
      return t('panelWhyForeseenSheet', at);
    case 'memory':
      return t('panelWhyForeseenMemory', at);
    case null:
      return t('panelWhyForeseen', at);
  }
}

function waitText(reason: WaitReason, lasts: string): string {
  switch (reason) {
    case 'connection':
      return t('panelWhyWaitConnection', lasts);
    case 'slot':
      return t('panelWhyWaitSlot', lasts);
    case 'collecting':
      return t('panelWhyWaitCollecting', lasts);
    case 'order':
      return t('panelWhyWaitOrder', lasts);
  }
}

function fetchClassWord(fetchClass: FetchClass): string {
  switch (fetchClass) {
    case FetchClass.layout:
      return classWord('layout');
    case FetchClass.inView:
      return classWord('inView');
    case FetchClass.unplaced:
      return classWord('unplaced');
    case FetchClass.offScreen:
      return t('panelRankOffScreen');
    case FetchClass.undisplayed:
      return t('panelRankUndisplayed');
  }
}
