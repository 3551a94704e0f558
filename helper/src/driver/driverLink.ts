import { setTimeout as sleep } from 'node:timers/promises';
import { FirstscreenError, codeOf } from '../../../shared/src/errors.ts';
import type { DriverReport } from '../../../shared/src/protocol/driverReportSchema.ts';
import { DriverConnection } from './driverConnection.ts';
import { askDriver, reportOf, reportOfFailure } from './driverReport.ts';
import { RepairedFlow, type FlowEnds } from './repairedFlow.ts';
import { SpoolRelay, type Follow, type SpoolRelayOptions } from './spoolRelay.ts';

/** A driver that was started, or installed, meanwhile is found after this time. */
const AGAIN_MS = 30_000;
/** For all connections of this process. Where uploads can not have BBR they stay as they are. */
const POLICY = ['rar', 'bbr'];
/** What a driver says to `spool` while another helper of the user has one: another browser's, or one that is about to end. */
const ANOTHER_HAS_ONE = 'E_DRIVER_LIMIT';

export interface DriverLinkOptions extends Omit<SpoolRelayOptions, 'following'> {
  readonly path: string;
  /** Gives who follows the connections of programs, when there is a first one; nobody by default. @param driver this, by which losses can be filled */
  readonly following?: (driver: DriverLink) => Promise<Follow>;
  readonly processId: number;
  readonly againMs?: number;
}

/** Keeps this process registered with the driver, where there is one; nothing here is needed for anything else. */
export class DriverLink {
  private readonly options: DriverLinkOptions;
  private connection: DriverConnection | null = null;
  /** Settles when this process is registered, or it is clear that it is not. */
  private attempt: Promise<void>;
  private again: NodeJS.Timeout | null = null;
  private isClosed = false;
  /** That there is none is said once. */
  private lastCode: string | null = null;
  private reporting: Promise<DriverReport> | null = null;
  /** Those of drivers that have gone, too: connections that were led there need no driver any more. */
  private readonly spools: SpoolRelay[] = [];

  constructor(options: DriverLinkOptions) {
    this.options = options;
    this.attempt = this.connect();
  }

  close(): void {
    this.isClosed = true;
    if (this.again !== null) clearTimeout(this.again);
    this.connection?.close();
    for (const spool of this.spools) spool.close();
  }

  /** Whether the driver is there, and may fill losses of connections. */
  get canRepair(): boolean {
    return this.connection !== null;
  }

  /** Has losses of a connection filled with placeholders. @throws as `RepairedFlow.open` */
  async repair(ends: FlowEnds, end: number): Promise<RepairedFlow> {
    if (this.connection === null) throw new FirstscreenError('E_DRIVER_REFUSED', 'The driver has gone before it was asked.', 'Nothing has to be done.');
    return RepairedFlow.open(this.connection, ends, end);
  }

  /** How the driver stands, asked of it now; who asks meanwhile gets the same answer, so that one that hangs is asked once. Never rejects. */
  report(): Promise<DriverReport> {
    this.reporting ??= this.askForReport().finally(() => (this.reporting = null));
    return this.reporting;
  }

  private async askForReport(): Promise<DriverReport> {
    try {
      const status = await askDriver(this.options.path);
      // a driver that was not there has just answered; one that has refused is not asked more often than else
      if (this.again !== null && (this.lastCode === 'gone' || this.lastCode === 'E_DRIVER_UNAVAILABLE')) {
        clearTimeout(this.again);
        this.attempt = this.connect();
      }
      await this.attempt;
      return reportOf(status, this.lastCode === 'registered');
    } catch (error) {
      return reportOfFailure(error);
    }
  }

  /** Stays registered until the conversation ends. */
  private async connect(): Promise<void> {
    this.again = null;
    let { connection } = this;
    try {
      connection ??= await this.open();
      await connection.ask('register', { process: this.options.processId, policy: POLICY });
    } catch (error) {
      const code = codeOf(error);
      // one that can not find processes may fill losses all the same
      if (code !== 'E_DRIVER_REFUSED') {
        this.connection = null;
        connection?.close();
      }
      this.without(code);
      return;
    }
    this.say('registered');
    void this.spool(connection);
  }

  private async open(): Promise<DriverConnection> {
    const connection = await DriverConnection.open(this.options.path);
    if (this.isClosed) connection.close();
    this.connection = connection;
    void connection.ended.then(() => {
      if (this.connection !== connection) return;
      this.connection = null;
      this.without('gone');
    });
    return connection;
  }

  /** It is tried again later. */
  private without(code: string): void {
    if (this.isClosed) return;
    this.say(code);
    if (this.again !== null) clearTimeout(this.again);
    this.again = setTimeout(() => void (this.attempt = this.connect()), this.options.againMs ?? AGAIN_MS);
    // a helper that has nothing else to do may end
    this.again.unref();
  }

  /** Registered programs are led here for as long as driver and helper run; without a spool they go by themselves. Where another helper has one, it is this one's when that has gone. */
  private async spool(connection: DriverConnection): Promise<void> {
    for (let isFirst = true; this.connection === connection; isFirst = false) {
      try {
        await this.openSpool(connection);
        return;
      } catch (error) {
        if (isFirst) this.options.log({ level: 'info', scope: 'driver', message: 'without a spool for other programs', fields: { code: codeOf(error) } });
        if (!(error instanceof FirstscreenError) || error.cause !== ANOTHER_HAS_ONE) return;
      }
      await sleep(this.options.againMs ?? AGAIN_MS, undefined, { ref: false });
    }
  }

  private async openSpool(connection: DriverConnection): Promise<void> {
    const { following, spool, log } = this.options;
    const relay = await SpoolRelay.open(connection, { spool, log, ...(following && { following: () => following(this) }) });
    this.spools.push(relay);
    void connection.ended.then(() => (this.isClosed ? relay.close() : relay.retire()));
    log({ level: 'info', scope: 'driver', message: 'other programs can be led into the spool', fields: { code: 'spool' } });
  }

  private say(code: string): void {
    if (code === this.lastCode) return;
    this.lastCode = code;
    const isRegistered = code === 'registered';
    this.options.log({
      level: isRegistered || code === 'gone' ? 'info' : code === 'E_DRIVER_UNAVAILABLE' ? 'debug' : 'warn',
      scope: 'driver',
      message: isRegistered ? 'lost handshakes and requests are sent again by the driver' : 'without the driver',
      fields: { code },
    });
  }
}
