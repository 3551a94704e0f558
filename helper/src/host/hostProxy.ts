import { FirstscreenError, codeOf, coded } from '../../../shared/src/errors.ts';
import { NOTHING_EXPECTED, type Expected, type Known, type ToldVisit, type Visit } from '../../../shared/src/memory/neededObject.ts';
import type { ExtensionMessageOf, HelperMessageOf } from '../../../shared/src/protocol/native.ts';
import { HelpPayoff } from '../proxy/helpPayoff.ts';
import type { ProxyService, ProxyServiceOptions } from '../proxy/proxyService.ts';
import type { RelayConfig } from '../relay/relayConfig.ts';
import type { Trust } from '../trust/readTrust.ts';
import { openConnectionRoom } from './connectionRoom.ts';
import type { LeaveQuestions } from './leaveQuestions.ts';

export interface HostProxyOptions extends Omit<ProxyServiceOptions, 'leave' | 'trust' | 'relay' | 'doesPay' | 'profile' | 'mayRemember'> {
  readonly questions: LeaveQuestions;
  /** What the browser's requests pass already, in words; null for nothing. */
  readonly ownProxy: () => Promise<string | null>;
  /** What the user has had trusted; null without that. @throws FirstscreenError E_AUTHORITY, E_EXCLUDED_HOSTS */
  readonly trust: () => Trust | null;
  /** Of the user's own; null without one. @throws FirstscreenError E_RELAY_CONFIG */
  readonly relay: () => RelayConfig | null;
}

/** The proxy of one conversation: none until the extension asks for it. */
export class HostProxy {
  private readonly options: HostProxyOptions;
  private mayRemember = false;
  private tunnelOnlyHosts: readonly string[] = [];
  private savedPages: ExtensionMessageOf<'saveData'>['payload'] = { inGeneral: false, on: [], off: [] };
  /** The one that runs, once it does. */
  private service: ProxyService | null = null;
  private running: Promise<ProxyService> | null = null;

  constructor(options: HostProxyOptions) {
    this.options = options;
  }

  /** Starts it, or gives the one that runs. @throws FirstscreenError E_PROXY_IN_USE */
  async start({ mayRemember, profile }: ExtensionMessageOf<'proxy'>['payload']): Promise<HelperMessageOf<'proxied'>['payload']> {
    this.mayRemember = mayRemember;
    const wasThere = this.service !== null;
    this.running ??= this.startService(profile);
    try {
      this.service = await this.running;
      this.service.tunnelOnly(this.tunnelOnlyHosts);
      this.service.saveData(this.savedPages);
    } catch (error) {
      // tried again when it is asked for again
      this.running = null;
      throw error;
    }
    const { port, credentials, canIntercept } = this.service;
    // an authority that was made since it has started is for the next helper to use
    return { port, ...credentials, canIntercept: canIntercept || (wasThere && this.trust() !== null) };
  }

  /** The browser is asking for this page: connections to the servers that it is expected to need are made meanwhile. */
  navigating(url: string): void {
    this.service?.prepare(url, this.expected(url));
  }

  /** A visit with what is known of it by how its requests were made and answered. @param known what is remembered of it */
  withObserved(visit: ToldVisit, known: Known): Visit {
    // without a proxy nothing was seen to be asked
    return this.service?.withObserved(visit, known) ?? { ...visit, objects: [], origins: visit.origins.filter((origin) => known.origins.includes(origin)), document: null, addresses: [] };
  }

  /** A visit is remembered. */
  remembered(visit: Visit): void {
    this.service?.remembered(visit);
  }

  /** Something that was remembered is erased. */
  forgotten(): void {
    this.service?.forgotten();
  }

  /** The pointer is on a link. */
  pointed(link: ExtensionMessageOf<'pointed'>['payload']): void {
    this.service?.pointed(link, this.expected(link.url).objects);
  }

  /** Whether a relay is set up, that can be used. */
  get hasRelay(): boolean {
    return this.relay() !== null;
  }

  /** As `Predictor.asking`. */
  asking(images: readonly string[]): void {
    this.service?.asking(images);
  }

  /** The browser turns http: into https: for these hosts. */
  upgraded(hosts: readonly string[]): void {
    this.service?.upgraded(hosts);
  }

  /** Of these hosts, with everything under them, connections of https: stay closed to the helper; of all others they need not. */
  tunnelOnly(hosts: readonly string[]): void {
    this.tunnelOnlyHosts = hosts;
    this.service?.tunnelOnly(hosts);
  }

  /**
   * The next load of a page of this origin is to find what a first visit does.
   *
   * @returns port of a room for the browser's connections. @throws Error when it can not be opened
   */
  async closeConnections(origin: string): Promise<number> {
    await this.service?.closeConnections(origin);
    return openConnectionRoom();
  }

  /** Of which pages images are fetched only when somebody comes near them: those that their documents name are not foreseen. */
  saveData(pages: ExtensionMessageOf<'saveData'>['payload']): void {
    this.savedPages = pages;
    this.service?.saveData(pages);
  }

  /** Whether the document of a page has begun to come and was broken off: it is not worth remembering. */
  isCutOff(url: string): boolean {
    return this.service?.isCutOff(url) === true;
  }

  /** The browser has shown that it trusts the user's authority. */
  async intercept(): Promise<void> {
    (await this.running)?.intercept();
  }

  /** Settles when nothing is under way any more that the browser would lose. */
  async drain(): Promise<void> {
    await this.running?.then((service) => service.drain()).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.running?.then((service) => service.close()).catch(() => undefined);
  }

  private async startService(profile: string): Promise<ProxyService> {
    const { parts, questions, spoolDirectory, ownProxy, log } = this.options;
    const trust = this.trust();
    const relay = this.relay();
    const own = await ownProxy();
    if (own !== null) {
      throw new FirstscreenError('E_PROXY_IN_USE', `This machine has a proxy already (${own}); the helper would go past it.`, 'Nothing has to be done: pages are helped without connections of the helper.');
    }
    // not before it is asked for: the browser waits for the host
    const { ProxyService: Service } = await import(/* webpackMode: "eager" */ '../proxy/proxyService.ts');
    const { rehearse } = await import(/* webpackMode: "eager" */ '../proxy/rehearsal.ts');
    const payoff = new HelpPayoff(() => performance.now());
    const service = await Service.start({ ...this.options, mayRemember: () => this.mayRemember, profile, expected: (url) => this.expected(url), addressOf: (host) => (this.mayRemember ? this.options.addressOf(host) : null), leave: (host) => questions.leave(host), trust, relay, doesPay: (link) => !parts.steppingAside || payoff.doesPay(link) });
    rehearse({ parts, spoolDirectory, intercepts: trust !== null, settled: () => service.settled() }).catch((error: unknown) => log({ level: 'warn', scope: 'host', message: 'the rehearsal failed', fields: { code: codeOf(error) } }));
    return service;
  }

  /** What is remembered is used only while that is allowed. */
  private expected(url: string): Expected {
    return this.mayRemember ? this.options.expected(url) : NOTHING_EXPECTED;
  }

  /** One that can not be used is none. */
  private relay(): RelayConfig | null {
    try {
      return this.options.relay();
    } catch (error) {
      const { code, message, next } = coded(error, 'What is known of the relay could not be read.');
      this.options.log({ level: 'warn', scope: 'relay', message: `${message} ${next}`, fields: { code } });
      return null;
    }
  }

  /** Without what can not be read nothing is intercepted, and tunnels go on. */
  private trust(): Trust | null {
    try {
      const trust = this.options.trust();
      for (const { code, message } of trust?.warnings ?? []) this.options.log({ level: 'warn', scope: 'host', message, fields: { code } });
      return trust;
    } catch (error) {
      this.options.log({ level: 'warn', scope: 'host', message: 'nothing is intercepted', fields: { code: codeOf(error) } });
      return null;
    }
  }
}
