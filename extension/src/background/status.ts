import { integer, literal, number, pipe, strictObject, variant, type GenericSchema } from 'valibot';
import { SILENT_DRIVER, type DriverReport } from '../../../shared/src/protocol/driverReportSchema.ts';
import type { ConnectionsStatus, HelperLack, PopupAnswers, PopupQuestion, TabStatus, TrustStatus } from '../messages/status.ts';
import type { ProxyRoute } from '../platform/proxyRoute.ts';
import type { HelperLink } from './helperLink.ts';
import { answerOwnPages } from './ownPages.ts';

const tabId = pipe(number(), integer());
const PopupQuestionSchema: GenericSchema<unknown, PopupQuestion> = variant('type', [strictObject({ type: literal('status'), tabId }), strictObject({ type: literal('loadWithout'), tabId })]);

/** What answers each question, of a tab. */
export type PopupAnswering = { readonly [Type in PopupQuestion['type']]: (tabId: number) => Promise<PopupAnswers[Type]> };

export function answerPopup(answering: PopupAnswering): void {
  answerOwnPages(PopupQuestionSchema, ({ type, tabId: ofTab }) => answering[type](ofTab));
}

type Helper = Pick<HelperLink, 'state' | 'misfit' | 'can' | 'ask'>;
/** As the connections stand, as far as the helper lets them, and nobody else says where requests go. */
interface Connections {
  readonly state: ConnectionsStatus;
  readonly trust: TrustStatus;
}

/** What there is to say of the helper, and of all that needs it. */
export async function helperStatus(helper: Helper, connections: Connections, route: Pick<ProxyRoute, 'isOurs'>): Promise<Pick<TabStatus, 'helper' | 'misfit' | 'memory' | 'nextPage' | 'connections' | 'trust'>> {
  return { helper: helper.state, misfit: helper.misfit, memory: lackOf(helper, 'memory') ?? 'available', nextPage: lackOf(helper, 'nextPage') ?? 'available', connections: await connectionsStatus(helper, connections, route), trust: connections.trust };
}

/** Asked when the popup or a panel asks, and at no other time. */
export async function driverReport(helper: Helper): Promise<DriverReport | null> {
  if (!helper.can('driver')) return null;
  return (await helper.ask('driver', {})) ?? SILENT_DRIVER;
}

async function connectionsStatus(helper: Helper, { state }: Connections, route: Pick<ProxyRoute, 'isOurs'>): Promise<ConnectionsStatus> {
  return lackOf(helper, 'proxy') ?? ((await route.isOurs().catch(() => false)) ? state : 'otherProxy');
}

function lackOf(helper: Helper, capability: string): HelperLack | null {
  if (helper.state === 'notHere') return 'notHere';
  if (helper.state !== 'connected') return 'noHelper';
  return helper.can(capability) ? null : 'oldHelper';
}
