import type { FetchObject } from './fetchObject.ts';

/** What a connection has to do, as a policy sees it. */
export interface QueueLoad {
  /** Bytes still to come of what was sent on it. */
  readonly bytesToCome: number;
}

/**
 * How the objects of one server are spread over its connections. Pure; called anew whenever objects or connections change, with everything that is not
 * sent yet, so that a plan never outlives what it was made for.
 */
export interface QueuePolicy {
  /** One queue for each of the connections (at least one), each in the order of sending; every object in exactly one of them. */
  assign(objects: readonly FetchObject[], connections: readonly QueueLoad[]): FetchObject[][];
  /** Which object a connection whose queue is empty takes over from the others; null when there is none. */
  takeOver(queues: readonly (readonly FetchObject[])[]): FetchObject | null;
}
