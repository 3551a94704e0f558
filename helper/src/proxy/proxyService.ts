import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { codeOf } from '../../../shared/src/errors.ts';
import { LinkEstimator, bdpBytes, type LinkEstimate } from '../../../shared/src/estimation/link.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import { FetchScheduler } from '../../../shared/src/fetching/fetchScheduler.ts';
import { fetchScheme } from '../../../shared/src/fetching/schemes.ts';
import { StreamCredits } from '../../../shared/src/fetching/streamCredits.ts';
import { NOTHING_EXPECTED, type Expected, type ExpectedObject, type Known, type ToldVisit, type Visit } from '../../../shared/src/memory/neededObject.ts';
import type { HelperParts } from '../../../shared/src/parts.ts';
import type { Recording } from '../../../shared/src/requests/recording.ts';
import { HostResolver } from '../../../shared/src/names/resolveHost.ts';
import { HostNames } from '../names/hostNames.ts';
import { systemSources } from '../names/systemSources.ts';
import { watchNetwork } from '../names/networkWatch.ts';
import { spoolOf } from '../spool/spooledBody.ts';
import { sweepSpools } from '../spool/spoolFile.ts';
import { Interceptor } from '../interception/interceptor.ts';
import { passUpgrade } from '../interception/passUpgrade.ts';
import type { LeafCertificates } from '../trust/leafCertificates.ts';
import type { Trust } from '../trust/readTrust.ts';
import type { OpenConnection } from '../upstream/connection.ts';
import { DirectConnection } from '../upstream/directConnection.ts';
import type { RelayConfig } from '../relay/relayConfig.ts';
import { RefusedHosts } from '../relay/refusedHosts.ts';
import { RelayBodies } from '../prediction/relayBodies.ts';
import { BodyStore } from '../relay/bodyStore.ts';
import { codingTerms } from '../relay/codingTerms.ts';
import { RelayRoute } from '../relay/relayRoute.ts';
import type { LinkView } from '../upstream/openSocket.ts';
import { FIRST_WINDOW_BYTES, MAX_WINDOW_BYTES } from '../upstream/receiveWindow.ts';
import { SocketOpener } from '../upstream/socketOpener.ts';
import { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';
import { Upstream } from '../upstream/upstream.ts';
import type { FlowDriver } from '../fwp/repairedAnswer.ts';
import { Repairs } from '../fwp/repairs.ts';
import { destinationOf } from '../http/requestTarget.ts';
import { readDocument, readSheet } from '../../../shared/src/node/reading/bodyReaders.ts';
import { makeCredentials } from './credentials.ts';
import { exchange, type ExchangeHost } from './exchange.ts';
import type { Composition } from '../parts.ts';
import { originOf } from '../../../shared/src/page/origin.ts';
import type { ExtensionMessageOf, HelperMessageOf } from '../../../shared/src/protocol/native.ts';
import { NextPages } from '../prediction/nextPages.ts';
import { Predictor, type PredictorOptions } from '../prediction/predictor.ts';
import { SavedPages } from '../prediction/savedPages.ts';
import { PreparedTunnels } from '../tunnels/preparedTunnels.ts';
import { LinkNews } from './linkNews.ts';
import { ProxyServer, type DrainLimits } from './proxyServer.ts';
import { MAX_HANDSHAKES, TunnelBudget } from '../tunnels/tunnelBudget.ts';
import { TunnelTurns } from '../tunnels/tunnelTurns.ts';

export interface ProxyServiceOptions extends Omit<Composition, 'recording' | 'network'>, Pick<PredictorOptions, 'ranks' | 'expected' | 'profile'> {
  /** By which address a host was reached last in an earlier session; null where that is not known, or not to be used. */
  readonly addressOf: (host: string) => string | null;
  /** The link seems to be another one. */
  readonly linkChanged: (link: HelperMessageOf<'link'>['payload']) => void;
  /** Asks the extension to have the browser go to this host itself. @returns whether it will */
  readonly leave: (host: string) => Promise<boolean>;
  /** Private to the user. */
  readonly spoolDirectory: string;
  /** Where bodies are kept by which a relay codes later ones; nowhere by default. */
  readonly bodiesDirectory?: string | null;
  /** Whether anything is kept there now, or used; always by default. */
  readonly mayRemember?: () => boolean;
  /** What the user has had trusted, and what stays untouched all the same; null without that. */
  readonly trust: Omit<Trust, 'warnings'> | null;
  /** Of the user's own; null without one. */
  readonly relay?: RelayConfig | null;
  /** The driver, which may fill what is lost; null without one. */
  readonly driver?: FlowDriver | null;
  /** On which links it is worth foreseeing what the browser will ask for. */
  readonly doesPay: (link: LinkEstimate) => boolean;
  /** Hears of the way of each request; nobody by default. */
  readonly recording?: Pick<Recording, 'recorder'>;
  readonly log: LogSink;
}

const HTTP1 = ['http/1.1'];
const UNRECORDED = { recorder: null };
/** Of a few days of browsing: one that is forgotten is only not remembered with the next page. */
const MAX_ASKED_ORIGINS = 5_000;
/** How often it is looked whether anything is on the way. */
const LOOK_MS = 250;

/** What foreseeing comes to is no page's concern: a defect there ends the foreseeing, and neither a request of the browser's nor the helper. */
function careful(log: LogSink): PredictorOptions['carefully'] {
  return (foresee) => {
    try {
      foresee();
    } catch (error) {
      log({ level: 'warn', scope: 'foresight', message: 'what a page needs could not be foreseen', fields: { code: codeOf(error) } });
    }
  };
}

/** The proxy with all that it needs of this machine. */
export class ProxyService {
  readonly credentials = makeCredentials();
  /** Once it is started. */
  port = 0;
  private readonly server: ProxyServer;
  private readonly upstream: Upstream;
  private readonly interceptor: Interceptor | null;
  private readonly predictor: Predictor;
  private readonly nextPages: NextPages;
  private readonly tunnels: PreparedTunnels;
  private readonly relay: RelayRoute | null;
  private readonly bodies: RelayBodies | null;
  private readonly names: HostNames;
  /**
   * Origins that the browser has asked since this helper was started. The page can not tell: what a blocker stops stands
   * in its document all the same. By process, not by page: a tunnel may be older than the page, and names none.
   */
  private readonly askedOrigins = new LRUCache<string, true>({ max: MAX_ASKED_ORIGINS });
  private savedPages = new SavedPages({ inGeneral: false, on: [], off: [] });
  private readonly watching: NodeJS.Timeout;
  private readonly parts: HelperParts;
  private readonly log: LogSink;

  private constructor({ parts, isPublic, recording = UNRECORDED, ranks, expected, addressOf, profile, linkChanged, leave, spoolDirectory, bodiesDirectory = null, mayRemember = () => true, trust, relay = null, driver = null, doesPay, log }: ProxyServiceOptions, leaves: LeafCertificates | null) {
    const now = (): number => performance.now();
    const link = new LinkEstimator();
    const news = new LinkNews(link, linkChanged);
    const sources = systemSources(() => link.estimate().rttMs);
    const resolver = new HostResolver(sources);
    const names = new HostNames(resolver, addressOf);
    const tls = new TlsStarter(trust?.serverAuthorities ?? null);
    if (trust !== null) setImmediate(() => tls.prepare());
    const linkView: LinkView = {
      rttMs: () => link.estimate().rttMs,
      roundTrip: (rttMs) => {
        link.handshake(rttMs, now());
        news.tell();
      },
    };
    const wallNow = (): number => Date.now();
    const isKeptClosed = (host: string): boolean => !parts.relayTermination || trust?.isExcluded(host) === true || this.interceptor?.isTunnelOnly(host) === true;
    this.bodies = bodiesDirectory === null || !parts.relayDictionaries ? null : new RelayBodies(new BodyStore(bodiesDirectory), mayRemember);
    this.relay = relay && RelayRoute.start(relay, {
      resolver, sources, link: linkView, isPublic, isKeptClosed, wallNow, log,
      refusedHosts: new RefusedHosts(),
      wantsPushed: (request) => this.predictor.wants(request),
      bodies: this.bodies,
      pays: () => doesPay(link.estimate()),
      coding: () => codingTerms(parts, link.estimate().rateBitsPerSecond, doesPay(link.estimate()), this.bodies?.mayRemember() === true),
    });
    const sockets = new SocketOpener(names, linkView, tls, isPublic, this.relay);
    const firstWindowBytes = parts.windows ? FIRST_WINDOW_BYTES : MAX_WINDOW_BYTES;
    const openSide: OpenConnection = async (origin, id, onClosed) => new DirectConnection(id, origin, await sockets.openFor(origin, HTTP1), onClosed, firstWindowBytes);
    const isRelayed = (origin: string): boolean => this.relay?.terminates(origin) === true;
    const upstream = new Upstream({
      repairs: driver && parts.rangeRepair ? new Repairs({ driver, open: openSide, now, log }) : null,
      scheduler: new FetchScheduler(fetchScheme(parts, () => link.estimate())),
      credits: new StreamCredits(() => link.estimate(), { preempts: parts.prioritizing && parts.preemption, scavenges: parts.scavenger, imageWindow: parts.imageWindow }),
      open: async (origin, id, onClosed, isPinned) => {
        recording.recorder?.connecting(id, origin);
        const relayed = isPinned ? null : (this.relay?.terminate(origin, id, onClosed) ?? null);
        if (relayed !== null) {
          recording.recorder?.connected(id, relayed.isH2, 'requests');
          return relayed;
        }
        const socket = await sockets.openFor(origin, isPinned ? HTTP1 : undefined);
        const connection = new DirectConnection(id, origin, socket, onClosed, firstWindowBytes);
        recording.recorder?.connected(id, connection.isH2, connection.isRanked ? 'tunnel' : null);
        return connection;
      },
      isRelayed,
      tunnelAnswered: (request, status, fields) => this.relay?.answered(request, status, fields) === true,
      received: (bytes) => link.received(bytes, now()),
      measured: (sample) => {
        link.add(sample);
        news.tell();
      },
      tellsUrgency: parts.prioritizing,
      recording,
      log,
    });
    const spool = spoolOf(spoolDirectory);
    const carefully = careful(log);
    const readLater = (read: () => void): void => void setImmediate(() => carefully(read));
    const nextPages = new NextPages({ fetch: (request, sink) => upstream.fetch(request, sink), predictor: () => this.predictor, spool, readLater, now, wallNow });
    const predictor = new Predictor({
      isWorthwhile: () => doesPay(link.estimate()),
      // what speaks HTTP/2 needs no second connection, and with TLS one costs kilobytes
      navigated: (origin) => parts.navigationConnections && origin.startsWith('http:') && upstream.reserve(origin),
      yieldsScripts: parts.lateScripts,
      connect: (origin, connections) => void (parts.namedConnections && this.prepareFor(origin, false, connections).catch(() => undefined)),
      fetch: (request, sink) => nextPages.fetch(request, sink),
      isClosed: (origin) => this.isClosed(origin),
      savesData: (page) => this.savedPages.has(page),
      isRelayed,
      takesPushes: parts.relayPushes && parts.foresightFromDocument && relay !== null,
      promisedCookie: (url, headers) => this.relay?.promisedCookie(url, headers),
      expected: parts.foresightFromMemory ? expected : () => NOTHING_EXPECTED,
      readDocument: parts.foresightFromDocument ? readDocument : () => null,
      readSheet: parts.foresightFromStyles ? readSheet : () => null,
      recording,
      bdpBytes: () => bdpBytes(link.estimate()),
      ranks, profile, spool, now, carefully, readLater, wallNow,
    });
    const exchangeHost: ExchangeHost = { fetch: (request, sink) => (parts.foresight ? predictor : upstream).fetch(request, sink), ranks, leave, spool, log };
    this.interceptor = trust && leaves && new Interceptor({
      ownHost: this.credentials.ownHost,
      isExcluded: trust.isExcluded,
      secureContextFor: (host) => leaves.secureContextFor(host),
      prepare: (origin) => upstream.prepare(origin),
      requested: (browser, target) => exchange(browser, target, exchangeHost),
      upgraded: (request, browser, head, { host, port }) => void passUpgrade(request, browser, head, sockets.openTls(host, port, HTTP1)),
      log,
    });
    const tunnels = new PreparedTunnels(({ host, port }) => sockets.open(host, port, true));
    const turns = new TunnelTurns(new TunnelBudget(parts.prioritizing ? MAX_HANDSHAKES : Infinity), () => link.estimate().rttMs);
    this.server = new ProxyServer(this.credentials, { ...exchangeHost, asked: (origin) => void this.askedOrigins.set(origin, true), openTunnel: (destination) => tunnels.take(destination), turns, interceptor: this.interceptor });
    this.watching = watchNetwork((isUsable) => {
      resolver.forgetAll();
      link.forget();
      this.relay?.networkChanged(isUsable);
      tunnels.close();
      upstream.networkChanged(isUsable);
    }, () => upstream.checkConnections());
    [this.names, this.upstream, this.predictor, this.nextPages, this.tunnels, this.parts, this.log] = [names, upstream, predictor, nextPages, tunnels, parts, log];
  }

  static async start(options: ProxyServiceOptions): Promise<ProxyService> {
    const { spoolDirectory, trust } = options;
    await sweepSpools(spoolDirectory);
    // what makes certificates takes 100 ms of processor to load
    const leaves = trust && new (await import(/* webpackMode: "eager" */ '../trust/leafCertificates.ts')).LeafCertificates(trust.authority);
    const service = new ProxyService(options, leaves);
    service.port = await service.server.listen();
    return service;
  }

  get canIntercept(): boolean {
    return this.interceptor !== null;
  }

  /**
   * Servers that a page on its way is expected to ask get a connection each, so that its requests find one. What can not
   * be made is silent; the requests will tell.
   */
  prepare(url: string, expected: Expected): void {
    if (!this.parts.navigationConnections) return;
    this.predictor.remember(url, expected.objects);
    for (const origin of expected.origins) if (this.predictor.willAsk(url, origin, expected)) void this.prepareFor(origin).catch(() => undefined);
  }

  /** A visit is remembered: what was read of it is, too. */
  remembered({ url, objects }: Visit): void {
    void this.bodies?.keep(url, objects);
  }

  /** Something that was remembered is erased, and with it all bodies. */
  forgotten(): void {
    this.names.forgetLast();
    this.bodies?.erased();
    this.relay?.tellKept();
  }

  /**
   * A visit with what is known of it by how its requests were made and answered; of servers those that were asked, now or
   * before.
   *
   * @param known what is remembered of it
   */
  withObserved(visit: ToldVisit, known: Known): Visit {
    const origins = visit.origins.filter((origin) => this.askedOrigins.has(origin) || known.origins.includes(origin));
    const addresses = this.names.reachedBy([visit.url, visit.asked, ...origins]);
    return { ...this.predictor.visits.withObserved(visit, known.objects), origins, addresses };
  }

  /**
   * The pointer rests on a link, or presses it: its server gets a connection, and the page that it leads to is fetched
   * when the link is likely to be followed.
   *
   * @param expected what is remembered of that page
   */
  pointed({ isLikely, ...link }: ExtensionMessageOf<'pointed'>['payload'], expected: readonly ExpectedObject[]): void {
    if (this.nextPages.savesData(link.page)) return;
    void this.prepareFor(originOf(link.url)).catch(() => undefined);
    this.predictor.remember(link.url, expected);
    if (isLikely && !this.isClosed(originOf(link.url))) this.nextPages.prepare(link, expected);
  }

  /** Of these hosts, with everything under them, connections of https: stay closed to the helper; of all others they need not. */
  tunnelOnly(hosts: readonly string[]): void {
    this.interceptor?.tunnelOnly(hosts);
  }

  /**
   * The next load of a page of this origin finds what a first visit does: connections and tunnels that nobody uses are
   * closed, what is on the way on others ends there, and no server counts as asked for it. What is known of the link and
   * by name stays.
   */
  async closeConnections(origin: string): Promise<void> {
    this.tunnels.close();
    this.upstream.retireConnections();
    this.predictor.forgetAsked(origin);
    await this.server.closeSilent();
  }

  /** Of which pages images that their documents name are not foreseen. */
  saveData(pages: ExtensionMessageOf<'saveData'>['payload']): void {
    this.savedPages = new SavedPages(pages);
  }

  /** Whether the document of a page has begun to come and was broken off. */
  isCutOff(url: string): boolean {
    return this.predictor.visits.isCutOff(url);
  }

  /** As `Predictor.asking`. */
  asking(images: readonly string[]): void {
    this.predictor.asking(images);
  }

  /** The browser turns http: into https: for these hosts. */
  upgraded(hosts: readonly string[]): void {
    this.predictor.upgraded(hosts);
  }

  /** The browser has shown that it trusts our authority. */
  intercept(): void {
    if (this.interceptor !== null) this.interceptor.isOn = true;
  }

  /** Settles when nothing is on the way to a server. */
  async settled(): Promise<void> {
    while (this.upstream.isBusy) await sleep(LOOK_MS, undefined, { ref: false });
  }

  /** Takes nothing new, and settles when what is under way has ended, or takes too long. */
  async drain(limits?: DrainLimits): Promise<void> {
    this.tunnels.close();
    await this.server.drain(limits);
  }

  async close(): Promise<void> {
    clearInterval(this.watching);
    this.predictor.close();
    this.nextPages.close();
    this.log({ level: 'info', scope: 'foresight', message: 'what was foreseen', fields: { ...this.predictor.waste, nextPagesUnclaimed: this.nextPages.unclaimed.documents } });
    this.tunnels.close();
    this.upstream.close();
    this.relay?.close();
    this.interceptor?.close();
    await this.server.close();
  }

  /** Whether the user keeps this server closed: nothing that it is asked can be seen, and nothing is foreseen there. */
  private isClosed(origin: string): boolean {
    return origin.startsWith('https:') && this.interceptor?.isTunnelOnly(destinationOf(origin).host) === true;
  }

  /** @param isAwaited something will be asked of it as soon as it is there */
  private async prepareFor(origin: string, isAwaited = true, connections = 1): Promise<void> {
    const destination = destinationOf(origin);
    const isSecure = origin.startsWith('https:');
    if (isSecure && this.interceptor?.wants(destination.host) !== true) this.tunnels.prepare(destination);
    // a server that does not verify is a tunnel's all the same
    else await this.upstream.prepare(origin, isAwaited, connections).catch(() => isSecure && this.tunnels.prepare(destination));
  }
}
