import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { controlRequest } from './control.ts';

const READY_LIMIT_MS = 15_000;
const READY_POLL_MS = 50;

/** Schemas of docs/testbed.md. Loose: the Go side may say more than the bench needs. */
const Direction = v.looseObject({ rateBitsPerSecond: v.number(), delayMs: v.number(), loss: v.optional(v.number(), 0) });
const Profile = v.looseObject({ name: v.string(), down: Direction, up: Direction, secondHop: v.optional(Direction) });
export type Profile = v.InferOutput<typeof Profile>;

export const LinkReport = v.looseObject({
  profile: Profile,
  seed: v.number(),
  realtime: v.boolean(),
  rootless: v.boolean(),
  lateness: v.looseObject({ p50Us: v.number(), p99Us: v.number(), maxUs: v.number(), samples: v.number() }),
  down: v.looseObject({ packets: v.number(), bytes: v.number(), dropsQueue: v.number(), dropsLoss: v.number(), deliveredBytes: v.number() }),
  up: v.looseObject({ packets: v.number(), bytes: v.number(), dropsQueue: v.number(), dropsLoss: v.number(), deliveredBytes: v.number() }),
  check: v.nullish(v.looseObject({ ok: v.boolean(), rttMs: v.number(), rttExpectedMs: v.number(), downRateBitsPerSecond: v.number(), upRateBitsPerSecond: v.number() })),
});
export type LinkReport = v.InferOutput<typeof LinkReport>;

const Flow = v.object({
  client: v.string(),
  server: v.string(),
  /** Of the server's stream, delivered before the record began: the connection is older. */
  beforeBytes: v.optional(v.number()),
  /** [monotonic ns, contiguous bytes of the server's stream that the near side has], each time it grew. */
  steps: v.array(v.tuple([v.number(), v.number()])),
});
export type Flow = v.InferOutput<typeof Flow>;

const Brought = v.object({ server: v.string(), downBytes: v.number() });
export type Brought = v.InferOutput<typeof Brought>;

const ServedRequest = v.object({
  startNs: v.number(),
  endNs: v.nullable(v.number()),
  client: v.string(),
  server: v.string(),
  method: v.string(),
  url: v.string(),
  recordedUrl: v.nullable(v.string()),
  status: v.number(),
  contentType: v.nullish(v.string()),
  bodyBytes: v.number(),
  streamEnd: v.nullable(v.number()),
  aborted: v.boolean(),
});
export type ServedRequest = v.InferOutput<typeof ServedRequest>;

const HostedPage = v.looseObject({ name: v.string(), entryUrl: v.string(), records: v.number(), bytes: v.number(), congestion: v.nullish(v.string()) });
export type HostedPage = v.InferOutput<typeof HostedPage>;

const HostedObject = v.looseObject({ url: v.string(), status: v.number(), contentType: v.string(), servedBytes: v.number() });
export type HostedObject = v.InferOutput<typeof HostedObject>;

const Idle = v.object({ idleMs: v.number(), dataIdleMs: v.number() });

const AskedName = v.object({ client: v.string(), name: v.string() });
export type AskedName = v.InferOutput<typeof AskedName>;

const HostingLog = v.object({ requests: v.nullable(v.array(ServedRequest)), names: v.array(AskedName) });

const Inventory = v.object({ objects: v.nullable(v.array(HostedObject)) });

/** The link's control socket. */
export class LinkControl {
  readonly #socket: string;

  constructor(socket: string) {
    this.#socket = socket;
  }

  async report(): Promise<LinkReport> {
    return v.parse(LinkReport, await controlRequest(this.#socket, 'GET', '/report'));
  }

  async reset(): Promise<void> {
    await controlRequest(this.#socket, 'POST', '/reset');
  }

  async flows(): Promise<readonly Flow[]> {
    return v.parse(v.object({ flows: v.nullable(v.array(Flow)) }), await controlRequest(this.#socket, 'GET', '/flows')).flows ?? [];
  }

  /** Bytes that each connection has brought to the near side, headers of packets included, by its server (`address:port`). Quick, for who asks all the time. */
  async downBytes(): Promise<readonly Brought[]> {
    return v.parse(v.object({ flows: v.nullable(v.array(Brought)) }), await controlRequest(this.#socket, 'GET', '/flows?steps=none')).flows ?? [];
  }

  async idleMs(): Promise<number> {
    return (await this.#idle()).idleMs;
  }

  /** Since anything but what only keeps a connection was delivered. */
  async dataIdleMs(): Promise<number> {
    return (await this.#idle()).dataIdleMs;
  }

  async #idle() {
    return v.parse(Idle, await controlRequest(this.#socket, 'GET', '/idle'));
  }
}

/** The control socket of the virtual hosting. */
export class HostingControl {
  readonly #socket: string;

  constructor(socket: string) {
    this.#socket = socket;
  }

  /** Resolves when it serves: it starts beside who asks, and its socket appears then. */
  async ready(): Promise<void> {
    const deadlineMs = Date.now() + READY_LIMIT_MS;
    for (;;) {
      try {
        await this.log();
        return;
      } catch (error) {
        if (Date.now() > deadlineMs) throw error;
        await sleep(READY_POLL_MS);
      }
    }
  }

  async load(path: string, protocol: string): Promise<HostedPage> {
    return v.parse(HostedPage, await controlRequest(this.#socket, 'POST', '/page', { path, protocol }));
  }

  async reset(): Promise<void> {
    await controlRequest(this.#socket, 'POST', '/reset');
  }

  async log(): Promise<readonly ServedRequest[]> {
    return (await this.logs()).served;
  }

  /** Requests and questions for names, since the log was cleared. */
  async logs(): Promise<{ readonly served: readonly ServedRequest[]; readonly names: readonly AskedName[] }> {
    const { requests, names } = v.parse(HostingLog, await controlRequest(this.#socket, 'GET', '/log'));
    return { served: requests ?? [], names };
  }

  /** All that the recording has. */
  async inventory(): Promise<readonly HostedObject[]> {
    return v.parse(Inventory, await controlRequest(this.#socket, 'GET', '/inventory')).objects ?? [];
  }
}
