import { LAST_BYTES } from '../estimation/bytes.ts';
import { isUrgent } from './admission.ts';
import { STOCK_CONNECTIONS_PER_SERVER } from './connectionBudget.ts';
import { FetchClass, inDocumentOrder, keepsDocumentOrder, levelOf, totalBytes, type FetchObject } from './fetchObject.ts';
import type { QueuePolicy } from './queuePolicy.ts';
import { DOWNLOAD_BYTES, RECEIVE_WINDOW_BYTES } from './streamCredits.ts';

/** An object that was sent, and what is still to come of it. */
export interface SentObject {
  readonly object: FetchObject;
  readonly bytesToCome: number;
  /** The same when its answer began. */
  readonly bytesAtFirst: number;
  /** Since when nothing has come of it. */
  readonly quietSinceMs: number;
  readonly hasAnswered: boolean;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** An object and the connection that it would go on. */
export interface Turn {
  readonly connection: number;
  readonly object: FetchObject;
}

interface Connection {
  readonly id: number;
  /** Requests that may be on the way at once: 1 for HTTP/1.1, more where an origin pipelines, many for HTTP/2. */
  readonly slots: number;
  readonly keepsOrder: boolean;
  readonly sent: Map<number, Writable<SentObject>>;
  queue: FetchObject[];
  /** Since when nothing is on the way on it. */
  idleSinceMs: number;
}

/** An image of which nothing but the name is known may well be so much larger than what its kind lets expect; too many on the way are dropped in the queue of the access link. */
const UNANSWERED_FACTOR = 2;
/** Of an image of this expected size or more, no less than the other is counted: photographs differ most. */
const PHOTOGRAPH = { fromBytes: 3_000, countedBytes: 16_000 };
/** Of the last answer in `layoutFactor`. */
const ANSWER_WEIGHT = 1 / 4;

/** The objects and connections of one server: what waits, what is on the way on which connection. */
export class ServerConnections {
  private readonly unsent = new Map<number, FetchObject>();
  private readonly connections: Connection[] = [];
  private readonly policy: QueuePolicy;
  private isAssigned = false;
  /** Whether it speaks HTTP/2 is not known yet. */
  private isUntold: boolean;
  /** Connections that were asked for and are not there yet. */
  private opening = 0;
  /** So many the server has allowed: one more was refused. */
  private limit = Infinity;
  /** So many connections are to be there, although there may be nothing to send on them yet. */
  private prepared = 0;
  private preparedMs = -Infinity;
  /** Something has been asked of it. */
  private wasAsked = false;
  /**
   * What its layout files weigh by what was expected when they were put, as a document names dozens before the first has
   * come, and scripts of a page are alike. 1 at most: a large answer says nothing of the scripts beside it, and would
   * keep them waiting.
   */
  private layoutFactor = 1;

  /** @param isSecure it speaks TLS, and says only then whether one connection carries all */
  constructor(policy: QueuePolicy, isSecure: boolean) {
    this.policy = policy;
    this.isUntold = isSecure;
  }

  /** Open, or being opened. */
  get connectionCount(): number {
    return this.connections.length + this.opening;
  }

  get isConnected(): boolean {
    return this.connections.length > 0;
  }

  /** Not a second one before the first has said whether it carries all: others would be as many handshakes and first windows in the queue of a slow link, for nothing. */
  get canOpen(): boolean {
    return this.connectionCount < this.limit && !(this.isUntold && this.opening > 0);
  }

  get isForgotten(): boolean {
    return this.connectionCount + this.demand === 0;
  }

  /** Its part of the total: what a stock browser may have open to it. */
  get stockConnections(): number {
    this.wasAsked ||= this.demand > 0;
    if (!this.wasAsked) return 0;
    return this.isMultiplexed ? 1 : STOCK_CONNECTIONS_PER_SERVER;
  }

  get unsentCount(): number {
    return this.unsent.size;
  }

  get isMultiplexed(): boolean {
    return this.connections.some(({ slots }) => slots > 1);
  }

  /** As `FetchServer`. */
  get keepsOrder(): boolean {
    return this.isConnected && this.connections.every(({ keepsOrder }) => keepsOrder);
  }

  /** Expected bytes of what waits, and the rest of what is on the way. */
  get bytesToCome(): number {
    return this.connections.reduce((sum, connection) => sum + bytesOn(connection), totalBytes([...this.unsent.values()]));
  }

  get objectCount(): number {
    let count = this.unsent.size;
    for (const { sent } of this.connections) count += sent.size;
    return count;
  }

  /** Objects to fetch, or connections that are to be there without any. */
  get demand(): number {
    return Math.max(this.objectCount, this.connections.length < this.prepared ? this.prepared : 0);
  }

  /** Something waits to be sent, or a connection to be opened. */
  get wantsMore(): boolean {
    return this.unsent.size > 0 || this.connectionCount < this.prepared;
  }

  /** Since when a connection is waited for although there is nothing to send on it yet; -Infinity when none is. */
  get preparedSinceMs(): number {
    return this.prepared > this.connections.length && this.objectCount === 0 ? this.preparedMs : -Infinity;
  }

  /** There are to be so many connections, although there is nothing to send on them yet. @param sinceMs when they began to be waited for; -Infinity for not yet */
  prepare(count: number, sinceMs: number): void {
    // what is there is not made anew when it closes, and one carries all
    if (this.connections.length >= count || this.isMultiplexed) return;
    if (this.prepared === 0 || this.preparedMs === -Infinity) this.preparedMs = sinceMs;
    this.prepared = Math.max(this.prepared, count);
  }

  get urgentCount(): number {
    let count = 0;
    for (const object of this.unsent.values()) if (isUrgent(object)) count += 1;
    for (const { sent } of this.connections) for (const { object } of sent.values()) if (isUrgent(object)) count += 1;
    return count;
  }

  /** On the way, and not what the first screen waits for. */
  get otherCount(): number {
    let count = 0;
    for (const { sent } of this.connections) for (const { object } of sent.values()) if (!isUrgent(object)) count += 1;
    return count;
  }

  /**
   * Connections to be opened in place of those that are kept by what comes by credit: as many as the first screen waits
   * for objects, where no connection is free.
   */
  get replacements(): number {
    if (this.isMultiplexed || this.hasRoom) return 0;
    let waiting = 0;
    for (const object of this.unsent.values()) if (isUrgent(object)) waiting += 1;
    const kept = this.connections.filter(({ sent }) => [...sent.values()].some(comesByCredit));
    return Math.min(waiting, kept.length, STOCK_CONNECTIONS_PER_SERVER);
  }

  /** What waits, the most urgent first, then as the document has it. */
  unsentObjects(): FetchObject[] {
    return [...this.unsent.values()].sort((a, b) => levelOf(a) - levelOf(b) || inDocumentOrder(a, b));
  }

  /** Level of the most urgent object that waits although a connection has room for it; Infinity when there is none. */
  get waitingLevel(): number {
    let least = Infinity;
    if (this.canSend) for (const object of this.unsent.values()) least = Math.min(least, levelOf(object));
    return least;
  }

  /** Calls with what waits and the first screen waits for, in no order. */
  eachUnsentUrgent(visit: (object: FetchObject) => void): void {
    for (const object of this.unsent.values()) if (isUrgent(object)) visit(object);
  }

  /** Something waits although a connection has room. */
  get canSend(): boolean {
    return this.unsent.size > 0 && this.hasRoom;
  }

  /** Adds an object that waits, or ranks it anew. */
  put(object: FetchObject): void {
    this.unsent.set(object.id, object);
    this.isAssigned = false;
  }

  /** What is on the way has this rank now. */
  rankSent({ id, fetchClass, isAwaited }: FetchObject): void {
    for (const { sent } of this.connections) {
      const known = sent.get(id);
      if (known !== undefined) known.object = { ...known.object, fetchClass, isAwaited };
    }
  }

  isUnsent(id: number): boolean {
    return this.unsent.has(id);
  }

  remove(id: number, nowMs: number): void {
    if (this.unsent.delete(id)) this.isAssigned = false;
    else for (const connection of this.connections) if (connection.sent.delete(id)) connection.idleSinceMs = nowMs;
    if (this.objectCount === 0) this.limit = Infinity;
  }

  /**
   * Some of an object that was sent has come, and so many bytes are still to come.
   *
   * @returns whether that makes room: over HTTP/2 what the first screen does not wait for comes by credit, and keeps nothing waiting
   */
  progress(id: number, bytesToCome: number, nowMs: number): boolean {
    let hasMadeRoom = false;
    for (const { sent } of this.connections) {
      const object = sent.get(id);
      if (object === undefined) continue;
      if (!object.hasAnswered) {
        if (bytesToCome > 0) this.learn(object.object, bytesToCome);
        object.bytesAtFirst = bytesToCome;
      }
      object.bytesToCome = Math.max(LAST_BYTES, bytesToCome);
      object.quietSinceMs = nowMs;
      object.hasAnswered = true;
      hasMadeRoom = !this.isMultiplexed || isUrgent(object.object);
    }
    return hasMadeRoom;
  }

  /** Calls with what was sent, and what is still to come of it. */
  eachSent(visit: (sent: SentObject) => void): void {
    for (const { sent } of this.connections) for (const object of sent.values()) visit(object);
  }

  open(): void {
    this.opening += 1;
  }

  openFailed(): void {
    this.opening -= 1;
    this.prepared = 0;
    // asked for another only when it has served what it has
    this.limit = this.connectionCount === 0 ? Infinity : this.connectionCount;
  }

  connected(id: number, slots: number, nowMs: number, keepsOrder: boolean): void {
    this.opening -= 1;
    this.isUntold = false;
    this.connections.push({ id, slots, keepsOrder, sent: new Map(), queue: [], idleSinceMs: nowMs });
    if (this.connections.length >= this.prepared || this.isMultiplexed) this.prepared = 0;
    this.isAssigned = false;
  }

  /** @returns what was on the way on it */
  disconnected(id: number): FetchObject[] {
    const place = this.connections.findIndex((connection) => connection.id === id);
    const [connection] = place < 0 ? [] : this.connections.splice(place, 1);
    // a server that ends each as soon as it is there would be connected to for ever, and nobody asks it anything
    if (connection !== undefined) this.prepared = 0;
    this.isAssigned = false;
    return [...(connection?.sent.values() ?? [])].map(({ object }) => object);
  }

  /** The connection that has had nothing on the way for longest, and since this time at least; null when there is none. */
  idleConnection(sinceMs: number): number | null {
    // what waits goes on the first that is there, and not a handshake later on those that are still being made
    if (this.unsent.size > 0 && this.connections.length === 1) return null;
    const idle = this.connections.filter(({ sent, idleSinceMs }) => sent.size === 0 && idleSinceMs <= sinceMs);
    return idle.sort((a, b) => a.idleSinceMs - b.idleSinceMs)[0]?.id ?? null;
  }

  /** Connections of one request at a time that have nothing on the way, where all of them have rested since this time; else none. */
  freeIfRested(sinceMs: number): number[] {
    if (this.isMultiplexed) return [];
    const free = this.connections.filter(({ sent }) => sent.size === 0);
    return free.every(({ idleSinceMs }) => idleSinceMs <= sinceMs) ? free.map(({ id }) => id) : [];
  }

  /** The most urgent object, of those that may go now, that a connection has room for; null when there is none. */
  next(mayGo: (object: FetchObject) => boolean): Turn | null {
    if (!this.canSend) return null;
    this.assign();
    const queues = this.connections.map(({ queue }) => queue.filter(mayGo));
    const other = this.policy.takeOver(queues);
    if (other === null) return null;
    const free = this.connections.map((connection, place) => ({ connection, own: queues[place]?.[0] })).filter(({ connection }) => connection.sent.size < connection.slots);
    // where several could, the one that was at work last: on one that has rested a server's window starts anew (RFC 5681, section 4.1)
    free.sort((a, b) => b.connection.idleSinceMs - a.connection.idleSinceMs);
    let best: Turn | null = null;
    for (const { connection, own } of free) {
      // its own next one, unless it is dry, or another has something more urgent waiting
      const object = own === undefined || levelOf(other) < levelOf(own) ? other : own;
      if (best === null || compareTurns(object, best.object) < 0) best = { connection: connection.id, object };
    }
    return best;
  }

  /** What `next` has named is sent. */
  send({ connection: id, object }: Turn, nowMs: number): void {
    this.take(object);
    const bytes = this.expectedBytes(object);
    this.connections.find((connection) => connection.id === id)?.sent.set(object.id, { object, bytesToCome: bytes, bytesAtFirst: bytes, quietSinceMs: nowMs, hasAnswered: false });
  }

  private expectedBytes({ fetchClass, bytes }: FetchObject): number {
    return fetchClass === FetchClass.layout ? this.layoutFactor * bytes : bytes;
  }

  /** Geometric, as sizes are spread. */
  private learn({ fetchClass, bytes }: FetchObject, actualBytes: number): void {
    if (fetchClass !== FetchClass.layout) return;
    this.layoutFactor = Math.min(1, this.layoutFactor * (actualBytes / (this.layoutFactor * bytes)) ** ANSWER_WEIGHT);
  }

  /** Whether a connection would take one more. */
  private get hasRoom(): boolean {
    return this.connections.some(({ sent, slots }) => sent.size < slots);
  }

  private assign(): void {
    if (this.isAssigned) return;
    const queues = this.policy.assign(
      [...this.unsent.values()],
      this.connections.map((connection) => ({ bytesToCome: bytesOn(connection) })),
    );
    this.connections.forEach((connection, place) => (connection.queue = queues[place] ?? []));
    this.isAssigned = true;
  }

  private take(object: FetchObject): void {
    this.unsent.delete(object.id);
    for (const connection of this.connections) {
      const place = connection.queue.indexOf(object);
      if (place >= 0) connection.queue.splice(place, 1);
    }
  }
}

/** Which of two objects goes first where both could: by level, and in some levels as the document has them. */
export function compareTurns(a: FetchObject, b: FetchObject): number {
  return levelOf(a) - levelOf(b) || (keepsDocumentOrder(levelOf(a)) ? inDocumentOrder(a, b) : 0);
}

/** Over HTTP/1.1: what the first screen does not wait for and is more than comes in any case, so that it may stand still (streamCredits.ts). */
export function comesByCredit({ object, hasAnswered, bytesToCome }: SentObject): boolean {
  return !isUrgent(object) && hasAnswered && bytesToCome > RECEIVE_WINDOW_BYTES;
}

/** It has brought so much that no first screen waits for it. */
export function isDownload({ bytesAtFirst, bytesToCome }: SentObject): boolean {
  return bytesAtFirst - bytesToCome >= DOWNLOAD_BYTES;
}

function bytesOn({ sent }: Connection): number {
  let bytes = 0;
  for (const { bytesToCome } of sent.values()) bytes += bytesToCome;
  return bytes;
}

/** What is taken to be still to come of an object; of one that has not answered that may be far more than expected. */
export function bytesToComeOf({ object, bytesToCome, hasAnswered }: SentObject): number {
  if (hasAnswered || object.fetchClass === FetchClass.layout) return bytesToCome;
  return Math.max(bytesToCome >= PHOTOGRAPH.fromBytes ? PHOTOGRAPH.countedBytes : 0, UNANSWERED_FACTOR * bytesToCome);
}
