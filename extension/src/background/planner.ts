import type { PageSnapshot } from '../../../shared/src/page/objects.ts';
import { MAX_PLAN_OBJECTS } from '../../../shared/src/protocol/native.ts';
import { planPrioritizedFetching, type Plan } from '../../../shared/src/scheduling/plan.ts';
import type { DocumentKey } from '../platform/gate.ts';
import type { HelperLink } from './helperLink.ts';
import { log } from './log.ts';

/** Gets plans from the helper while it answers, and makes them here, with the same policy, when it does not. */
export class Planner {
  private readonly helper: HelperLink;

  constructor(helper: HelperLink) {
    this.helper = helper;
  }

  async plan(document: DocumentKey, snapshot: PageSnapshot): Promise<Plan> {
    if (snapshot.objects.length > MAX_PLAN_OBJECTS) return planPrioritizedFetching(snapshot);
    const answer = await this.helper.ask('plan', { document, view: snapshot.view, objects: [...snapshot.objects] });
    if (answer !== null && isPlanOf(answer.plan, snapshot)) return answer.plan;
    if (answer !== null) log('warn', 'planner', 'E_MESSAGE_SCHEMA', 'the helper planned something else than what was asked; planned here');
    return planPrioritizedFetching(snapshot);
  }
}

/** A plan is only taken when it names every object exactly once: a helper must not be able to lose one. */
function isPlanOf(plan: Plan, snapshot: PageSnapshot): boolean {
  const ids = new Set(plan.map(({ id }) => id));
  return plan.length === snapshot.objects.length && ids.size === plan.length && snapshot.objects.every(({ id }) => ids.has(id));
}
