import process from 'node:process';
import { seededRandom, shuffled } from '../../../shared/src/statistics/random.ts';

/** A condition, measured one way in one round; which way, stands in its field `Key`. */
export type Planned<Condition, Way, Key extends string = 'way'> = Condition & Readonly<Record<Key, Way>> & { readonly round: number };

/** Every condition each way in each round. What is compared takes turns, so that the machine's moods meet all alike. */
export function plansInTurns<Condition extends object, Way, Key extends string>(conditions: readonly Condition[], key: Key, ways: readonly Way[], { rounds, seed }: { readonly rounds: number; readonly seed: number }): Planned<Condition, Way, Key>[] {
  const random = seededRandom(seed);
  return Array.from({ length: rounds }, (_, round) => round).flatMap((round) => conditions.flatMap((condition) => shuffled(ways, random).map((way) => ({ ...condition, [key]: way, round }) as Planned<Condition, Way, Key>)));
}

/** Measures one plan after the other, `parallel` of them at once. Results come as they end. @throws what a measurement throws: none is begun after it */
export async function inTurns<Plan, Result>(plans: readonly Plan[], parallel: number, measure: (plan: Plan) => Promise<Result>, described: (plan: Plan) => string): Promise<Result[]> {
  const results: Result[] = [];
  // whoever fails closes it for the others
  const left = eachOf(plans);
  const worker = async (): Promise<void> => {
    for (const plan of left) {
      results.push(await measure(plan));
      process.stderr.write(`[${results.length}/${plans.length}] ${described(plan)}\n`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return results;
}

function* eachOf<Plan>(plans: readonly Plan[]): Generator<Plan> {
  yield* plans;
}
