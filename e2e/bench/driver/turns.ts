import process from 'node:process';

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
