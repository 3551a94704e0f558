import { byLevel, inDocumentOrder, keepsDocumentOrder, levelOf, totalBytes, type FetchObject } from './fetchObject.ts';
import type { QueuePolicy } from './queuePolicy.ts';
import { ratsElephantsRats } from './ratsElephantsRats.ts';

/**
 * OR, object reordering (NSF report, section VI): bytes, not objects, are balanced over the connections, so that they end together. Layout files keep the order of their document, in which a
 * page runs and applies them, and so does what has no place yet.
 */
export const balancedQueues: QueuePolicy = {
  assign(objects, connections) {
    const queues = connections.map(({ bytesToCome }) => ({ bytes: bytesToCome, objects: [] as FetchObject[] }));
    for (const members of byLevel(objects)) {
      // longest processing time first: the rule of thumb for equal ends (Graham 1969), within a third of the best
      const order = members[0] !== undefined && keepsDocumentOrder(levelOf(members[0])) ? inDocumentOrder : (a: FetchObject, b: FetchObject) => b.bytes - a.bytes || inDocumentOrder(a, b);
      for (const object of members.sort(order)) {
        const least = queues.reduce((a, b) => (b.bytes < a.bytes ? b : a));
        least.bytes += object.bytes;
        least.objects.push(object);
      }
    }
    return queues.map((queue) => ratsElephantsRats(queue.objects));
  },
  /** Of the queue with most bytes among those whose next object is the most urgent. */
  takeOver(queues) {
    let best: { readonly next: FetchObject; readonly bytes: number } | null = null;
    for (const queue of queues) {
      const next = queue[0];
      if (next === undefined) continue;
      const bytes = totalBytes(queue);
      if (best === null || levelOf(next) < levelOf(best.next) || (levelOf(next) === levelOf(best.next) && bytes > best.bytes)) best = { next, bytes };
    }
    return best?.next ?? null;
  },
};
