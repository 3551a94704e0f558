import process from 'node:process';
import { seededRandom, shuffled } from '../../../shared/src/statistics/random.ts';

/** A condition, measured one way in one round. */
export type Planned<Condition, Way> = Condition & { readonly way: Way; readonly round: number };

/** Every condition each way in each round. What is compared takes turns, so that the machine's moods meet both alike. */
export function plansInTurns<Condition extends object, Way>(conditions: readonly Condition[], ways: readonly Way[], { rounds, seed }: { readonly rounds: number; readonly seed: number }): Planned<Condition, Way>[] {
  const random = seededRandom(seed);
  return Array.from({ length: rounds }, (_, round) => round).flatMap((round) => conditions.flatMap((condition) => shuffled(ways, random).map((way) => ({ ...condition, way, round }))));
}

/** Measures one plan after the other, `parallel` of them at once. Results come as they end. */
export async function inTurns<Plan, Result>(plans: readonly Plan[], parallel: number, measure: (plan: Plan) => Promise<Result>, described: (plan: Plan) => string): Promise<Result[]> {
  const results: Result[] = [];
  const left = plans.values();
  const worker = async (): Promise<void> => {
    for (const plan of left) {
      results.push(await measure(plan));
      process.stderr.write(`[${results.length}/${plans.length}] ${described(plan)}\n`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return results;
}
