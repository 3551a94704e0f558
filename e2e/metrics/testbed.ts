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

const HostingLog = v.object({ requests: listOf(ServedRequest), names: v.array(AskedName) });

const Inventory = v.object({ objects: listOf(HostedObject) });

/** Go writes an empty list as null. */
function listOf<Item extends v.GenericSchema>(item: Item) {
  return v.pipe(v.nullable(v.array(item)), v.transform((items) => items ?? []));
}

/** A control socket. */
class Control {
  readonly #socket: string;

  constructor(socket: string) {
    this.#socket = socket;
  }

  async reset(): Promise<void> {
    await controlRequest(this.#socket, 'POST', '/reset');
  }

  protected async get<Schema extends v.GenericSchema>(path: string, schema: Schema): Promise<v.InferOutput<Schema>> {
    return v.parse(schema, await controlRequest(this.#socket, 'GET', path));
  }

  protected post(path: string, body: object): Promise<unknown> {
    return controlRequest(this.#socket, 'POST', path, body);
  }
}

/** That of the link. */
export class LinkControl extends Control {
  report(): Promise<LinkReport> {
    return this.get('/report', LinkReport);
  }

  async flows(): Promise<readonly Flow[]> {
    return (await this.get('/flows', v.object({ flows: listOf(Flow) }))).flows;
  }

  /** Bytes that each connection has brought to the near side, headers of packets included, by its server (`address:port`). Quick, for who asks all the time. */
  async downBytes(): Promise<readonly Brought[]> {
    return (await this.get('/flows?steps=none', v.object({ flows: listOf(Brought) }))).flows;
  }

  async idleMs(): Promise<number> {
    return (await this.get('/idle', Idle)).idleMs;
  }

  /** Since anything but what only keeps a connection was delivered. */
  async dataIdleMs(): Promise<number> {
    return (await this.get('/idle', Idle)).dataIdleMs;
  }
}

/** That of the virtual hosting. */
export class HostingControl extends Control {
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
    return v.parse(HostedPage, await this.post('/page', { path, protocol }));
  }

  async log(): Promise<readonly ServedRequest[]> {
    return (await this.logs()).served;
  }

  /** Requests and questions for names, since the log was cleared. */
  async logs(): Promise<{ readonly served: readonly ServedRequest[]; readonly names: readonly AskedName[] }> {
    const { requests, names } = await this.get('/log', HostingLog);
    return { served: requests, names };
  }

  /** All that the recording has. */
  async inventory(): Promise<readonly HostedObject[]> {
    return (await this.get('/inventory', Inventory)).objects;
  }
}
