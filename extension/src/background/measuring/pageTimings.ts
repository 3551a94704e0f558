import type { FirstScreenTiming } from '../../../../shared/src/protocol/firstScreenTimingSchema.ts';
import type { Measurement, MeasuringOptions, Subject } from '../../messages/measuring.ts';
import { dayOf } from '../../../../shared/src/memory/cachedUntil.ts';
import { forgetFirstScreen, keepFirstScreen } from '../../settings/firstScreens.ts';
import { addVisit, storedHistory } from '../../settings/history.ts';
import type { KeptLink } from '../../settings/keptLink.ts';
import { addMeasured, storedMeasured } from '../../settings/measuredPages.ts';
import type { Settings } from '../../settings/settings.ts';
import { haveSameHosts, Sites } from '../../settings/sites.ts';
import { hasSiteAccess } from '../../settings/siteAccess.ts';
import { hostOfUrl } from '../../urls/hostOfUrl.ts';
import type { Timings } from '../documentPorts.ts';
import { logFailure } from '../log.ts';
import { isLinkMetered } from '../metering.ts';
import { isOrdinary } from '../ordinaryTab.ts';
import { QuietVisits } from '../quietVisits.ts';
import type { ColdStart } from './coldStart.ts';
import { measuredPageOf } from './measuredPage.ts';
import { Measuring, type Influence } from './measuring.ts';
import { MeasuringPages, type MeasuringControl } from './measuringPages.ts';
import { isTabSeen, keepMeasurement, keptMeasurement, openTab } from './ownTab.ts';
import { refusalOf } from './refusal.ts';

/** A helper that has just been started answers by then; what is not in force then will not be. */
const IN_FORCE_LIMIT_MS = 15_000;
const IN_FORCE_CHECK_MS = 500;
/** Of visits that nobody measures. */
const NO_LOAD = 0;

export interface PageTimingsHost {
  /** Resolves when what the user has decided last is known. */
  settled(): Promise<unknown>;
  /** Brings into force what settings and `influence` say. @returns whether it is */
  apply(): Promise<boolean>;
  /** Whether Firstscreen does something for pages now. */
  helps(): boolean;
  /** Whether nothing is done for this page, which the tab shows. */
  isOff(url: string | null, tabId: number): boolean;
  /** Whether requests of all tabs go without Firstscreen, as some page is loaded without it once. */
  isPausing(): boolean;
  /** Whether this page of a tab was asked for by sending something. */
  wasPosted(tabId: number, url: string): boolean;
  /** Whether the helper remembers pages. */
  hasMemory(): boolean;
  /** Null while nobody has measured it. */
  link(): KeptLink | null;
  readonly coldStart: ColdStart;
}

/** All that is timed: pages that the user has measured, and visits, quietly, for the history of their sites. */
export class PageTimings implements Timings, MeasuringControl {
  private readonly host: PageTimingsHost;
  private readonly pages = new MeasuringPages();
  private readonly measuring: Measuring;
  private readonly visits: QuietVisits;
  private settings: Settings | null = null;
  private sites = Sites.NONE;
  /** Beside which the measured tab is opened. */
  private besideTabId: number | null = null;

  constructor(host: PageTimingsHost) {
    this.host = host;
    this.measuring = new Measuring({
      random: Math.random,
      now: () => Date.now(),
      apply: () => this.apply(),
      open: (url) => openTab(url, this.besideTabId),
      coldStart: (url) => host.coldStart.prepare(url),
      reload: (tabId) => chrome.tabs.reload(tabId, { bypassCache: true }),
      close: (tabId) => chrome.tabs.remove(tabId),
      isSeen: isTabSeen,
      keep: keepMeasurement,
      changed: (measurement) => this.measurementChanged(measurement),
    });
    this.visits = new QuietVisits({
      random: Math.random,
      helps: () => host.helps(),
      took: keepFirstScreen,
      keep(site, side, isrtMs) {
        storedHistory.change((history) => addVisit(history, site, side, { isrtMs, day: dayOf(Date.now()), link: host.link() })).catch(logFailure('visits', 'the time of a visit was not kept'));
      },
      changed: () => void host.apply(),
    });
  }

  /** To be called at the top level. */
  accept(): void {
    this.pages.accept(this);
    addEventListener('offline', () => this.measuring.end('networkChanged'));
    void keptMeasurement().then((kept) => {
      if (kept === null) return;
      this.measuring.restore(kept);
      this.pages.tell(kept);
      this.pages.endUnwatched(this);
    });
  }

  /** Null while the user's own settings are in force. */
  get influence(): Influence | null {
    return this.measuring.influence ?? this.visits.influence;
  }

  get isMeasuring(): boolean {
    return this.measuring.isRunning;
  }

  /** Whether a tab is one that is measured in. */
  isOwn(tabId: number): boolean {
    return this.measuring.isOwn(tabId);
  }

  /** The user's settings are these now, and these what is decided for sites. */
  settingsAre(settings: Settings, sites: Sites): void {
    const [before, areSitesSame] = [this.settings, haveSameHosts(this.sites, sites)];
    [this.settings, this.sites] = [settings, sites];
    const keeps = settings.remember || settings.compareVisits;
    this.visits.want({ times: settings.enabled, keeps: settings.enabled && keeps, compares: settings.enabled && settings.compareVisits });
    // erased with the memory, which a helper does when it is told to
    if (!keeps && (before === null || before.remember || before.compareVisits)) storedHistory.change(() => []).catch(logFailure('visits', 'times of visits were not forgotten'));
    if (before !== null && !(areSame(before, settings) && areSitesSame)) this.measuring.end('settingsChanged');
  }

  /** A tab shows another page. */
  navigated(tabId: number): void {
    forgetFirstScreen(tabId);
  }

  tabRemoved(tabId: number): void {
    this.measuring.tabRemoved(tabId);
    this.visits.forgetTab(tabId);
    forgetFirstScreen(tabId);
  }

  asked(tabId: number, url: string): ReturnType<Timings['asked']> {
    if (this.isMeasuring) {
      const load = this.measuring.askedOf(tabId);
      return load === null ? null : { load, waitsForQuiet: true };
    }
    return !this.host.isOff(url, tabId) && this.visits.asks(tabId) ? { load: NO_LOAD, waitsForQuiet: false } : null;
  }

  measured(tabId: number, url: string, load: number, timing: FirstScreenTiming): void {
    if (load === NO_LOAD) this.visits.measured(tabId, url, timing);
    else this.measuring.measured(tabId, url, load, timing);
  }

  get measurement(): Measurement | null {
    return this.measuring.measurement;
  }

  async look(tabId: number): Promise<Subject> {
    return (await this.examine(tabId, true)).subject;
  }

  async start(tabId: number, options: MeasuringOptions, maySpend: boolean): Promise<Subject> {
    const { url, subject } = await this.examine(tabId, maySpend);
    if (url === undefined || subject.refusal !== null) return subject;
    this.besideTabId = tabId;
    this.measuring.start(url, { ...options, isCold: options.isCold && this.host.coldStart.isPossible }, subject.isMetered);
    return subject;
  }

  goOn(): void {
    this.measuring.allow();
  }

  cancel(): void {
    this.measuring.end('cancelled');
  }

  private async examine(tabId: number, maySpend: boolean): Promise<{ readonly url: string | undefined; readonly subject: Subject }> {
    const [tab, hasAccess] = await Promise.all([chrome.tabs.get(tabId).catch(() => null), hasSiteAccess(), this.host.settled()]);
    const url = tab?.url;
    const isMetered = isLinkMetered();
    const refusal = refusalOf({
      url, isOrdinary: tab !== null && isOrdinary(tab), wasPosted: url !== undefined && this.host.wasPosted(tabId, url), isEnabled: this.settings?.enabled === true, isSiteOff: this.sites.isOff(url ?? null), hasAccess, isPaused: this.host.isPausing(), isRunning: this.isMeasuring, isMetered, maySpend,
    });
    return { url, subject: { host: hostOfUrl(url ?? ''), refusal, isMetered, isHelped: this.host.helps(), canBeginCold: this.host.coldStart.isPossible, hasMemory: this.settings?.remember === true && this.host.hasMemory() } };
  }

  private measurementChanged(measurement: Measurement): void {
    this.pages.tell(measurement);
    const measured = measuredPageOf(measurement, this.host.link(), Date.now());
    if (measured !== null) storedMeasured.change((pages) => addMeasured(pages, measured)).catch(logFailure('measuring', 'what was measured was not kept'));
  }

  /** The helper may have to be started, or to answer first. */
  private async apply(): Promise<boolean> {
    const deadlineMs = Date.now() + IN_FORCE_LIMIT_MS;
    while (!(await this.host.apply())) {
      if (Date.now() > deadlineMs) return false;
      await new Promise((resolve) => setTimeout(resolve, IN_FORCE_CHECK_MS));
    }
    return true;
  }
}

function areSame(before: Settings, settings: Settings): boolean {
  return (Object.keys(settings) as (keyof Settings)[]).every((name) => settings[name] === before[name]);
}
