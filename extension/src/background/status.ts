import { literal, number, safeParse, strictObject, type GenericSchema } from 'valibot';
import { SILENT_DRIVER, type DriverReport } from '../../../shared/src/protocol/driverReportSchema.ts';
import type { ConnectionsStatus, HelperLack, StatusQuestion, TabStatus } from '../messages/status.ts';
import type { ProxyRoute } from '../platform/proxyRoute.ts';
import type { HelperLink } from './helperLink.ts';
import type { OwnConnections } from './ownConnections.ts';
import { isOwnPage } from './popups.ts';

const StatusQuestionSchema: GenericSchema<unknown, StatusQuestion> = strictObject({ type: literal('status'), tabId: number() });

/** Answers the extension's own pages; content scripts and other extensions get no answer. */
export function answerPopup(statusOf: (tabId: number) => Promise<TabStatus>): void {
  chrome.runtime.onMessage.addListener((input: unknown, sender, respond: (status: TabStatus) => void) => {
    const question = safeParse(StatusQuestionSchema, input);
    if (!question.success || !isOwnPage(sender)) return undefined;
    void statusOf(question.output.tabId).then(respond);
    // the answer comes later
    return true;
  });
}

type Helper = Pick<HelperLink, 'state' | 'misfit' | 'can' | 'ask'>;

/** What there is to say of the helper, and of all that needs it. */
export async function helperStatus(helper: Helper, connections: Pick<OwnConnections, 'state' | 'trust'>, route: Pick<ProxyRoute, 'isOurs'>): Promise<Pick<TabStatus, 'helper' | 'misfit' | 'memory' | 'nextPage' | 'connections' | 'trust' | 'driver'>> {
  const [connectionsNow, driver] = await Promise.all([connectionsStatus(helper, connections, route), driverReport(helper)]);
  return { helper: helper.state, misfit: helper.misfit, memory: lackOf(helper, 'memory') ?? 'available', nextPage: lackOf(helper, 'nextPage') ?? 'available', connections: connectionsNow, trust: connections.trust, driver };
}

/** Asked when the popup or a panel asks, and at no other time. */
export async function driverReport(helper: Helper): Promise<DriverReport | null> {
  if (!helper.can('driver')) return null;
  return (await helper.ask('driver', {})) ?? SILENT_DRIVER;
}

async function connectionsStatus(helper: Helper, { state }: Pick<OwnConnections, 'state'>, route: Pick<ProxyRoute, 'isOurs'>): Promise<ConnectionsStatus> {
  return lackOf(helper, 'proxy') ?? ((await route.isOurs().catch(() => false)) ? state : 'otherProxy');
}

function lackOf(helper: Helper, capability: string): HelperLack | null {
  if (helper.state !== 'connected') return 'noHelper';
  return helper.can(capability) ? null : 'oldHelper';
}
