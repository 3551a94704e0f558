import type { DriverReport } from '../../../shared/src/protocol/driverReportSchema.ts';
import { misfitReport } from '../../../shared/src/protocol/releaseFit.ts';
import type { TabStatus } from '../messages/status.ts';
import type { CapabilitiesNow } from '../ui/capabilities.ts';
import { t } from '../ui/texts.ts';

export interface PopupState extends CapabilitiesNow {
  readonly hasAccess: boolean;
  /** Whether the user has switched it off for the site of this page. */
  readonly isOffHere: boolean;
}

/** What the popup says of a part of Firstscreen outside the browser. */
export type PartLine = Omit<DriverReport, 'limits'>;

const NO_HELPER: PartLine = { state: 'fault', text: 'In this browser Firstscreen needs its helper', detail: 'Run:', nextStep: 'firstscreen-helper install' };
const HELPER_LINES: Readonly<Record<Exclude<TabStatus['helper'], 'absent'>, PartLine>> = {
  connected: { state: 'good', text: 'Helper connected', detail: '', nextStep: null },
  connecting: { state: 'absent', text: 'Looking for the helper', detail: '', nextStep: null },
};

/** What the popup says of the page. */
export function describePage({ enabled, hasAccess, isOffHere, status }: PopupState): [headline: string, detail: string] {
  if (!enabled) return ['Off', 'Pages load as they do without Firstscreen.'];
  if (!hasAccess) return ['No access to websites', 'Until you allow it, pages load as they do without Firstscreen.'];
  if (isOffHere) return [t('offHere'), t('offHereDetail')];
  if (status === null) return ['Starting', ''];
  if (status.isLinkFast && status.left === 0) return ['Not needed now', 'Your connection is fast: pages load as they do without Firstscreen.'];
  const { held, released, inView, left } = status;
  if (held === 0) return idle(status);
  return [held === 1 ? '1 image held' : `${held} images held`, `Released: ${inView} in view, ${released - inView} others. Waiting: ${held - released - left}.${left === 0 ? '' : ` ${t('imagesLeft', left)}`}`];
}

/** Nothing is held. */
function idle({ connections, hasGate }: TabStatus): [string, string] {
  if (connections === 'intercepted') return ['The helper puts requests in order', 'What is in view goes first.'];
  if (hasGate) return ['Nothing held on this page', 'Images that load from now on are put in order.'];
  if (connections === 'tunnel') return ['The helper puts plain requests in order', 'Encrypted ones stay closed to it.'];
  return ['Nothing is put in order', "In this browser that takes the helper's connections."];
}

/** The helper is optional where the extension itself can hold images; one that is there should be of a release that fits. */
export function describeHelper(status: TabStatus | null): PartLine | null {
  if (status === null) return null;
  if (status.misfit !== null) {
    const { text, next } = misfitReport(status.misfit.kind, status.misfit);
    return { state: 'fault', text, detail: next, nextStep: null };
  }
  if (status.helper !== 'absent') return HELPER_LINES[status.helper];
  return status.hasGate ? null : NO_HELPER;
}
