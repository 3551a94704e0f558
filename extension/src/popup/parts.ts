import type { DriverReport } from '../../../shared/src/protocol/driverReportSchema.ts';
import type { TabStatus } from '../messages/status.ts';
import { t } from '../ui/texts.ts';

/** What the popup says of a part of Firstscreen outside the browser. */
export type PartLine = Omit<DriverReport, 'limits'>;

/**
 * Of the helper, where there is one: whether its release fits. Where it is missing and needed the page's own
 * description says so (situation/describe.ts).
 */
export function describeHelper(status: TabStatus | null): PartLine | null {
  if (status === null) return null;
  if (status.misfit !== null) return { state: 'fault', ...misfitTexts(status.misfit), nextStep: null };
  if (status.helper === 'absent' || status.helper === 'notHere') return null;
  return status.helper === 'connected' ? { state: 'good', text: t('helperConnected'), detail: '', nextStep: null } : { state: 'absent', text: t('helperSought'), detail: '', nextStep: null };
}

/** Of the relay that the extension uses by itself, where it is on and there is no helper. */
export function describeRelay(status: TabStatus | null): PartLine | null {
  switch (status?.relay) {
    case 'inUse':
      return { state: 'good', text: t('relayInUse'), detail: '', nextStep: null };
    case 'silent':
      return { state: 'fault', text: t('relaySilent'), detail: t('relaySilentDetail'), nextStep: null };
    default:
      return null;
  }
}

/** As `misfitReport` says it (shared/src/protocol/releaseFit.ts), which `doctor` prints. */
function misfitTexts({ kind, extension, helper }: NonNullable<TabStatus['misfit']>): Pick<PartLine, 'text' | 'detail'> {
  switch (kind) {
    case 'helperOlder':
      return { text: t('misfitHelperOlder', helper, extension), detail: t('misfitHelperOlderNext') };
    case 'extensionOlder':
      return { text: t('misfitExtensionOlder', extension, helper), detail: t('misfitExtensionOlderNext') };
    case 'protocol':
      return { text: t('misfitProtocol'), detail: t('misfitProtocolNext') };
  }
}
