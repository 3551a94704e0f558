import { codeOf, type FirstscreenError } from '../../../shared/src/errors.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import type { OpenedTcp } from '../upstream/openSocket.ts';
import type { RelayConfig } from './relayConfig.ts';
import { RelayConnection } from './relayConnection.ts';
import type { PromisedRequest } from './pushedAnswers.ts';
import { RelayHealth, type HealthCommand } from './relayHealth.ts';
import type { RelayTunnel } from './relayTunnel.ts';
import type { RequestCarrier } from './requestCarrier.ts';

export interface RelayCarrierOptions {
  readonly config: RelayConfig;
  /** Opens TCP to the relay. @throws FirstscreenError E_NAME, E_CONNECT */
  readonly connect: () => Promise<OpenedTcp>;
  /** The relay has answered after so long while nothing else was on the way: a round trip of the link. */
  readonly roundTrip: (rttMs: number) => void;
  /** Whether something that the relay pushes is wanted; nothing is by default. */
  readonly wantsPushed?: (request: PromisedRequest) => boolean;
  readonly log: LogSink;
}

/** The one warm connection to the relay, which is made anew whenever it is lost, for as long as the proxy runs. */
export class RelayCarrier {
  private readonly options: RelayCarrierOptions;
  private readonly health = new RelayHealth();
  private connection: RelayConnection | null = null;
  /** Gives up the attempt that is under way. */
  private attempt = new AbortController();
  /** When bytes went or came last on a tunnel. */
  private usedMs = 0;
  /** Of the connection, as far as the health has been told. */
  private receivedBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private timerMs = Infinity;
  private isClosed = false;

  constructor(options: RelayCarrierOptions) {
    this.options = options;
    this.advance();
  }

  /** @param level of what the tunnel is for, as `levelOf` @returns null where the relay is not there, or may not be */
  tunnel(host: string, port: number, level: number): RelayTunnel | null {
    return this.health.isUp ? (this.connection?.tunnel(host, port, level) ?? null) : null;
  }

  /** The least that a round trip has taken; Infinity while the relay is not there. */
  get rttMs(): number {
    return this.connection?.rttMs ?? Infinity;
  }

  /** What requests can be made on that the relay makes; null where it is not there, or makes none. */
  requests(): RequestCarrier | null {
    return this.health.isUp && this.connection?.terminates === true && this.connection.isOpen ? this.connection : null;
  }

  /** As `RelayConnection.tellKept`; nobody is told while the relay is not there. */
  tellKept(name: string): void {
    this.connection?.tellKept(name);
  }

  /**
   * The machine has slept, or is in another network: a connection is made from there.
   *
   * @param isUsable whether a connection from this address of the machine can still carry what is on the way
   */
  networkChanged(isUsable: (localAddress: string) => boolean): void {
    const { connection } = this;
    this.forget();
    if (connection !== null && isUsable(connection.localAddress)) connection.close();
    else connection?.destroy();
    this.health.moved();
    this.advance();
  }

  /** What is on the way fails. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    const { connection } = this;
    this.forget();
    connection?.destroy();
  }

  private advance(): void {
    if (this.isClosed) return;
    this.noteBytes();
    for (const command of this.health.advance(performance.now())) this.perform(command);
    clearTimeout(this.timer);
    this.timerMs = this.health.nextTimerMs;
    this.timer = setTimeout(() => this.advance(), Math.max(0, this.timerMs - performance.now())).unref();
  }

  private perform(command: HealthCommand): void {
    switch (command) {
      case 'connect':
        void this.connect();
        return;
      case 'ping':
        this.ping();
        return;
      case 'race':
        this.options.log({ level: 'info', scope: 'relay', message: 'silent: the direct way is tried' });
        this.connection?.race();
        return;
      case 'give up': {
        this.options.log({ level: 'warn', scope: 'relay', message: 'given up: it does not answer' });
        const { connection } = this;
        this.forget();
        connection?.destroy();
      }
    }
  }

  private async connect(): Promise<void> {
    this.attempt = new AbortController();
    const { signal } = this.attempt;
    const tell = (heard: () => void): void => {
      if (signal.aborted) return;
      heard();
      this.advance();
    };
    try {
      const connection = await RelayConnection.open(this.options.config, this.options.connect, {
        heard: () => signal.aborted || this.heard(),
        used: () => signal.aborted || this.used(),
        isSilent: () => !signal.aborted && this.health.isSilent,
        overtaken: () => tell(() => this.health.overtaken()),
        ended: (misfit) => tell(() => (misfit === null ? this.lost() : this.leave(misfit))),
        wantsPushed: (request) => this.options.wantsPushed?.(request) ?? false,
      }, signal);
      // given up, or ended, in the same moment
      if (signal.aborted) {
        connection.destroy();
        return;
      }
      this.connection = connection;
      this.receivedBytes = connection.receivedBytes;
      this.health.connected(connection.rttMs, performance.now());
      // the least round trip counts, and a helper that has just been started sees the first ones late
      this.health.used();
      this.options.log({ level: 'info', scope: 'relay', message: 'connected', fields: { rttMs: Math.round(connection.rttMs) } });
    } catch (error) {
      if (signal.aborted) return;
      this.options.log({ level: 'warn', scope: 'relay', message: 'not connected', fields: { code: codeOf(error) } });
      this.lost();
    }
    this.advance();
  }

  private ping(): void {
    const { signal } = this.attempt;
    const { usedMs } = this;
    this.connection?.ping().then((rttMs) => {
      if (signal.aborted) return;
      if (this.usedMs === usedMs) this.options.roundTrip(rttMs);
      // its own bytes are nothing else that has come
      this.receivedBytes = this.connection?.receivedBytes ?? 0;
      this.noteSent();
      this.health.answered(rttMs, performance.now());
      this.advance();
      // who has ended tells so itself
    }, () => undefined);
  }

  private heard(): void {
    this.usedMs = performance.now();
    this.receivedBytes = this.connection?.receivedBytes ?? 0;
    this.noteSent();
    this.health.heard(this.usedMs);
    this.advanceSooner();
  }

  /** An answer is waited for. */
  private used(): void {
    this.usedMs = performance.now();
    this.noteBytes();
    this.health.used();
    this.advanceSooner();
  }

  /** A beat may be due sooner than it was. */
  private advanceSooner(): void {
    if (this.health.nextTimerMs < this.timerMs) this.advance();
  }

  /** Bytes that nobody was told of are a beat, too. */
  private noteBytes(): void {
    const { connection } = this;
    this.noteSent();
    if (connection === null || connection.receivedBytes === this.receivedBytes) return;
    this.receivedBytes = connection.receivedBytes;
    this.health.heard(performance.now());
  }

  private noteSent(): void {
    if (this.connection !== null) this.health.sent(this.connection.sentBytes, performance.now());
  }

  private lost(): void {
    this.forget();
    this.health.lost(performance.now());
  }

  /** Relay and helper do not understand each other. The next connection would end as this one, in the middle of a page: there is none. */
  private leave({ code, message, next }: FirstscreenError): void {
    this.options.log({ level: 'error', scope: 'relay', message: `${message} ${next}`, fields: { code } });
    this.close();
  }

  /** What comes from a connection of before says nothing of the next. */
  private forget(): void {
    this.attempt.abort();
    this.connection = null;
  }
}
