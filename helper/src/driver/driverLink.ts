import { FirstscreenError, codeOf } from '../../../shared/src/errors.ts';
import type { DriverReport } from '../../../shared/src/protocol/driverReportSchema.ts';
import { DriverConnection } from './driverConnection.ts';
import { askDriver, reportOf, reportOfFailure } from './driverReport.ts';
import { RepairedFlow, type FlowEnds } from './repairedFlow.ts';
import { SpoolRelay, type SpoolRelayOptions } from './spoolRelay.ts';

/** A driver that was started, or installed, meanwhile is found after this time. */
const AGAIN_MS = 30_000;
/** For all connections of this process. */
const POLICY = ['rar'];
/** What a driver of a release without FWP says to `repair`. */
const UNKNOWN_MESSAGE = 'E_DRIVER_MESSAGE';

export interface DriverLinkOptions extends SpoolRelayOptions {
  readonly path: string;
  readonly processId: number;
  readonly againMs?: number;
}

/** Keeps this process registered with the driver, where there is one; nothing here is needed for anything else. */
export class DriverLink {
  private readonly options: DriverLinkOptions;
  private connection: DriverConnection | null = null;
  /** The same, while it may fill what is lost. */
  private repairing: DriverConnection | null = null;
  /** Settles when this process is registered, or it is clear that it is not. */
  private attempt: Promise<void>;
  private again: NodeJS.Timeout | null = null;
  private isClosed = false;
  /** That there is none is said once. */
  private lastCode: string | null = null;
  private reporting: Promise<DriverReport> | null = null;

  constructor(options: DriverLinkOptions) {
    this.options = options;
    this.attempt = this.connect();
  }

  close(): void {
    this.isClosed = true;
    if (this.again !== null) clearTimeout(this.again);
    this.connection?.close();
  }

  /** Whether the driver is there, and is not known to be of a release that fills no losses. */
  get canRepair(): boolean {
    return this.repairing !== null;
  }

  /** Has losses of a connection filled with placeholders. @throws as `RepairedFlow.open` */
  async repair(ends: FlowEnds, end: number): Promise<RepairedFlow> {
    const driver = this.repairing;
    if (driver === null) throw new FirstscreenError('E_DRIVER_REFUSED', 'The driver fills no losses.', 'Nothing has to be done.');
    try {
      return await RepairedFlow.open(driver, ends, end);
    } catch (error) {
      if (error instanceof FirstscreenError && error.cause === UNKNOWN_MESSAGE && this.repairing === driver) this.repairing = null;
      throw error;
    }
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
    let connection: DriverConnection | null = null;
    try {
      connection = await DriverConnection.open(this.options.path);
      this.connection = connection;
      if (this.isClosed) connection.close();
      await connection.ask('register', { process: this.options.processId, policy: POLICY });
    } catch (error) {
      connection?.close();
      this.without(codeOf(error));
      return;
    }
    this.say('registered');
    this.repairing = connection;
    void this.spool(connection);
    void connection.ended.then(() => {
      this.repairing = null;
      this.without('gone');
    });
  }

  /** It is tried again later. */
  private without(code: string): void {
    if (this.isClosed) return;
    this.say(code);
    this.again = setTimeout(() => void (this.attempt = this.connect()), this.options.againMs ?? AGAIN_MS);
    // a helper that has nothing else to do may end
    this.again.unref();
  }

  /** Registered programs are led here for as long as this helper runs; without a spool they go by themselves. */
  private async spool(connection: DriverConnection): Promise<void> {
    try {
      const relay = await SpoolRelay.open(connection, this.options);
      void connection.ended.then(() => relay.close());
      this.options.log({ level: 'info', scope: 'driver', message: 'other programs can be led into the spool', fields: { code: 'spool' } });
    } catch (error) {
      // another browser's helper has one already, or the kernel can not lead anybody here
      this.options.log({ level: 'info', scope: 'driver', message: 'without a spool for other programs', fields: { code: codeOf(error) } });
    }
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
