import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { PageSnapshot } from '../../../shared/src/page/objects.ts';
import { MAX_PLAN_OBJECTS } from '../../../shared/src/protocol/native.ts';
import { planPrioritizedFetching, type Plan } from '../../../shared/src/scheduling/plan.ts';
import type { DocumentKey } from '../platform/gate.ts';
import { HelperConnection } from './helperConnection.ts';
import { log } from './log.ts';

/** After a fault the helper is left alone for this long, doubling to the limit: it may not be installed at all. */
const RETRY_MS = 10_000;
const RETRY_LIMIT_MS = 600_000;

export type HelperState = 'connecting' | 'connected' | 'absent';

/** Gets plans from the helper while it answers, and makes them here, with the same policy, when it does not. */
export class Planner {
  private connection: HelperConnection | null = null;
  private retryMs = RETRY_MS;
  helperState: HelperState = 'absent';

  connect(): void {
    this.helperState = 'connecting';
    const connection = new HelperConnection((error) => this.lost(error));
    connection.hello(chrome.runtime.getManifest().version, navigator.userAgent.slice(0, 200)).then(
      () => {
        this.connection = connection;
        this.helperState = 'connected';
        this.retryMs = RETRY_MS;
      },
      (error: unknown) => this.lost(error),
    );
  }

  async plan(document: DocumentKey, snapshot: PageSnapshot): Promise<Plan> {
    if (this.connection === null || snapshot.objects.length > MAX_PLAN_OBJECTS) return planPrioritizedFetching(snapshot);
    try {
      const answer = await this.connection.request({ type: 'plan', payload: { document, view: snapshot.view, objects: [...snapshot.objects] } });
      if (answer.type === 'planned' && isPlanOf(answer.payload.plan, snapshot)) return answer.payload.plan;
      log('warn', 'planner', 'E_MESSAGE_SCHEMA', 'the helper answered with something else than a plan of what was asked; planned here');
    } catch (error) {
      log('warn', 'planner', error instanceof FirstscreenError ? error.code : 'E_INTERNAL', 'no plan from the helper; planned here');
    }
    return planPrioritizedFetching(snapshot);
  }

  private lost(error: unknown): void {
    if (this.helperState === 'absent') return;
    this.connection = null;
    this.helperState = 'absent';
    log('info', 'planner', error instanceof FirstscreenError ? error.code : 'E_INTERNAL', 'no helper; planning goes on here');
    setTimeout(() => this.connect(), this.retryMs);
    this.retryMs = Math.min(this.retryMs * 2, RETRY_LIMIT_MS);
  }
}

/** A plan is only taken when it names every object exactly once: a helper must not be able to lose one. */
function isPlanOf(plan: Plan, snapshot: PageSnapshot): boolean {
  const ids = new Set(plan.map(({ id }) => id));
  return plan.length === snapshot.objects.length && ids.size === plan.length && snapshot.objects.every(({ id }) => ids.has(id));
}
