import { formatMs, formatRate } from '../ui/format.ts';
import { helperCommand } from '../ui/helperProgram.ts';
import { t } from '../ui/texts.ts';
import { mayHavePart, situationOf, type PageNow, type PageStatus, type Situation } from './situation.ts';

/** As an icon can say it. `fault`: it does not work, and there is something to do about it. */
export type Tone = 'working' | 'aside' | 'off' | 'fault';

/** What a person is offered beside a command: to give the access that is missing, to set up what is, to switch off for the site. */
export type Offer = 'access' | 'setUp' | 'offHere';

/** What a person is told of how Firstscreen stands to a page. */
export interface Description {
  readonly tone: Tone;
  /** Whether it works on this page, in a few words. */
  readonly headline: string;
  /** Why, and what to do if something can be done; empty when there is nothing to add. */
  readonly detail: string;
  /** To be run in a terminal. */
  readonly command: string | null;
  readonly offer: Offer | null;
  /** The page can be loaded without Firstscreen, to see whether it is the cause of what looks broken. */
  readonly canGoWithout: boolean;
}

type Entry = readonly [tone: Tone, headline: () => string, detail: (now: PageNow) => string, next?: Partial<Pick<Description, 'command' | 'offer'>>];

const ENTRIES: Readonly<Record<Situation, Entry>> = {
  off: ['off', () => t('pageOff'), () => t('pageOffDetail')],
  noAccess: ['fault', () => t('pageNoAccess'), () => t('pageNoAccessDetail'), { offer: 'access' }],
  closedPage: ['aside', () => t('pageClosed'), () => t('pageClosedDetail')],
  offHere: ['off', () => t('offHere'), () => t('offHereDetail')],
  without: ['off', () => t('pageWithout'), () => t('pageWithoutDetail'), { offer: 'offHere' }],
  comparing: ['aside', () => t('pageComparing'), () => t('pageComparingDetail')],
  starting: ['aside', () => t('pageStarting'), () => ''],
  fastLink: ['aside', () => t('pageFastLink'), () => t('pageFastLinkDetail')],
  answeredByWorker: ['aside', () => t('pageAside'), () => t('pageAnsweredByWorkerDetail')],
  privatePage: ['aside', () => t('pageAside'), () => t('pagePrivateDetail')],
  helperSought: ['aside', () => t('helperSought'), () => ''],
  connectionsOff: ['aside', () => t('pageConnectionsOff'), () => t('pageConnectionsOffDetail')],
  paused: ['aside', () => t('pagePaused'), () => t('pagePausedDetail')],
  noHelper: ['fault', () => t('pageNoHelper'), () => t('pageNoHelperDetail'), { offer: 'setUp' }],
  notHere: ['aside', () => t('pageNotHere'), () => t('pageNotHereDetail')],
  oldHelper: ['fault', () => t('pageOldHelper'), () => t('pageOldHelperDetail')],
  otherProxy: ['aside', () => t('pageAside'), () => t('pageOtherProxyDetail')],
  helperRefused: ['fault', () => t('pageHelperRefused'), () => t('pageHelperRefusedDetail'), { command: helperCommand('doctor') }],
  browserRefused: ['fault', () => t('pageBrowserRefused'), () => t('pageBrowserRefusedDetail')],
  held: ['working', () => t('pageWorking'), heldText],
  ready: ['working', () => t('pageReady'), () => t('pageReadyDetail')],
  carried: ['working', () => t('pageCarried'), () => t('pageCarriedDetail')],
  relayed: ['working', () => t('pageRelayed'), () => t('pageRelayedDetail')],
  relaySilent: ['fault', () => t('relaySilent'), () => t('relaySilentDetail')],
  carriedPlain: ['working', () => t('pageCarriedPlain'), () => t('pageCarriedPlainDetail')],
};

export function describePage(now: PageNow): Description {
  const [tone, headline, detail, next] = ENTRIES[situationOf(now)];
  const texts = [detail(now), tone === 'working' && now.isPrivate ? t('pagePrivateNote') : ''];
  return { tone, headline: headline(), detail: texts.filter((text) => text !== '').join(' '), command: next?.command ?? null, offer: next?.offer ?? null, canGoWithout: mayHavePart(now) };
}

/** Parts that add up to what was held. */
function heldText({ status }: PageNow): string {
  const { held, released, inView, left } = status ?? { held: 0, released: 0, inView: 0, left: 0 };
  const text = t('pageHeldDetail', held, inView, released - inView, held - released - left);
  return left === 0 ? text : `${text} ${t('imagesLeft', left)}`;
}

/** What is assumed says so, as does a rate of pages that do not fill the link. */
export function linkText({ link: { rateBitsPerSecond, isRateMeasured, rttMs, isRttMeasured }, isLinkFast }: Pick<PageStatus, 'link' | 'isLinkFast'>): string {
  const rate = formatRate(rateBitsPerSecond);
  return t('linkNow', isLinkFast && isRateMeasured ? t('linkAtLeast', rate) : sure(rate, isRateMeasured), sure(formatMs(rttMs), isRttMeasured));
}

function sure(value: string, isMeasured: boolean): string {
  return isMeasured ? value : t('linkAssumed', value);
}
