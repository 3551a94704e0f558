import * as v from 'valibot';
import type { DriverConnection } from './driverConnection.ts';
import { HolesSchema, RepairSchema } from './driverMessages.ts';

interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** A TCP connection of this process. */
export interface FlowEnds {
  readonly local: Endpoint;
  readonly remote: Endpoint;
}

/** What the driver has put in the place of lost segments, and what has come of these later; stream offsets count from the first byte that the server sent on the connection. */
export interface ToldHoles {
  /** Below it all placeholders are told. */
  readonly through: number;
  readonly holes: readonly (readonly [offset: number, length: number])[];
  readonly late: readonly { readonly offset: number; readonly bytes: Buffer }[];
}

/** A connection in which the driver fills what is lost with placeholders (docs/driver.md, FWP). */
export class RepairedFlow {
  /** Before this stream offset nothing is filled. */
  readonly from: number;
  private readonly driver: DriverConnection;
  private readonly ends: FlowEnds;

  private constructor(driver: DriverConnection, ends: FlowEnds, from: number) {
    [this.driver, this.ends, this.from] = [driver, ends, from];
  }

  /**
   * @param end stream offset behind the last byte that may be filled
   * @throws FirstscreenError E_DRIVER_REFUSED: nothing is filled. Any other error leaves that open
   */
  static async open(driver: DriverConnection, ends: FlowEnds, end: number): Promise<RepairedFlow> {
    const { from } = v.parse(RepairSchema, await driver.ask('repair', { ...ends, end }));
    return new RepairedFlow(driver, ends, from);
  }

  /** What was filled before this stream offset, at least, and was not told before. @throws Error where nobody can tell any more */
  async holes(upTo: number): Promise<ToldHoles> {
    const { through, holes, late } = v.parse(HolesSchema, await this.driver.ask('holes', { ...this.ends, upTo }));
    return { through, holes, late: late.map(({ offset, data }) => ({ offset, bytes: Buffer.from(data, 'base64') })) };
  }

  /** Nothing more is filled. */
  close(): void {
    // where nobody answers, nothing is
    this.driver.ask('repaired', this.ends).catch(() => undefined);
  }
}
