import { byLevel, inDocumentOrder, type FetchObject } from './fetchObject.ts';
import type { QueuePolicy } from './queuePolicy.ts';

/** CONV: as a stock browser does, in document order, one connection after the other, whatever the sizes; a free one takes what the document has next. */
export const roundRobinQueues: QueuePolicy = {
  assign(objects, connections) {
    const queues: FetchObject[][] = connections.map(() => []);
    inOrder(objects).forEach((object, place) => queues[place % queues.length]?.push(object));
    return queues;
  },
  takeOver: (queues) => inOrder(queues.flatMap((queue) => queue.slice(0, 1)))[0] ?? null,
};

function inOrder(objects: readonly FetchObject[]): FetchObject[] {
  return byLevel(objects).flatMap((members) => members.sort(inDocumentOrder));
}
