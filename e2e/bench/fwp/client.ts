import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import * as v from 'valibot';
import { accepts } from '../../../shared/src/node/testing/accepts.ts';
import { until } from '../../browsers/until.ts';
import { HelperOfTests } from '../../relay/helperOfTests.ts';
import { FAR_ADDRESS } from '../driver/overLink.ts';
import { RunningDriver } from '../driver/runningDriver.ts';
import { FwpCounters, type ClientPlan } from './plan.ts';

const CONNECT_LIMIT_MS = 30_000;
/** Of the link's two ends, which are servers of the web for the helper. */
const LINK_NETWORK = '10.99.0.0/16';
const STATUS_OK = 200;

const Status = v.object({ counters: v.object({ fwp: FwpCounters }) });

/** What a download has brought. */
export interface Body {
  readonly ms: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** A client at the near end of the link: the built helper is its proxy. With FWP a driver runs beside it; stock is the same helper without FWP, and no driver. */
export class Client {
  private readonly helper: HelperOfTests;
  private readonly driver: RunningDriver | null;

  private constructor(helper: HelperOfTests, driver: RunningDriver | null) {
    [this.helper, this.driver] = [helper, driver];
  }

  /** @throws BenchError E_DRIVER_START */
  static async start({ way, directory, frameErrorRate }: ClientPlan): Promise<Client> {
    const state = join(directory, 'helper');
    await mkdir(state);
    const driver = way === 'fwp' ? await RunningDriver.start([], undefined, frameErrorRate === null ? {} : { frameErrorRate }) : null;
    const helper = new HelperOfTests({
      FIRSTSCREEN_PUBLIC: LINK_NETWORK,
      FIRSTSCREEN_PARTS_OFF: way === 'fwp' ? 'steppingAside' : 'steppingAside,rangeRepair',
      // where nothing answers there is no driver
      FIRSTSCREEN_DRIVER_SOCKET: driver?.socket ?? join(state, 'no-driver.sock'),
      XDG_STATE_HOME: state, XDG_CACHE_HOME: state, XDG_RUNTIME_DIR: state,
    });
    await helper.hasProxy();
    return new Client(helper, driver);
  }

  /** Settles with the whole body. @param signal breaks it off. @throws when it is not whole, or another status than 200 comes */
  async download(url: string, signal?: AbortSignal): Promise<Body> {
    const startMs = performance.now();
    const answer = await this.ask(url, signal);
    if (answer.statusCode !== STATUS_OK) throw new Error(`status ${answer.statusCode}`);
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of answer) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
    return { ms: performance.now() - startMs, bytes, sha256: hash.digest('hex') };
  }

  /** What the driver has counted; null where there is none. */
  async counted(): Promise<FwpCounters | null> {
    return this.driver === null ? null : v.parse(Status, await this.driver.status()).counters.fwp;
  }

  async stop(): Promise<void> {
    await this.helper.close();
    await this.driver?.stop();
  }

  private ask(url: string, signal?: AbortSignal): Promise<IncomingMessage> {
    const headers = { host: new URL(url).host, 'proxy-authorization': this.helper.authorization };
    return new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port: this.helper.port, path: url, headers, ...(signal === undefined ? {} : { signal }) }, resolve).on('error', reject).end();
    });
  }
}

/** Settles when a server across the link listens, which starts when the client does. @throws when it does not */
export async function listens(port: number): Promise<void> {
  await until(() => accepts(port, FAR_ADDRESS), `${FAR_ADDRESS}:${port} listens`, CONNECT_LIMIT_MS);
}
