import { BenchError } from '../errors.ts';

/** shared/src/fetching/connectionBudget.ts, as it stands in the helper's bundle. */
const CONSTANT = /\bconst STOCK_CONNECTIONS_PER_SERVER = \d+;/g;

/**
 * The helper's bundle with another number of connections per server. What ships has no such setting, and needs none for a measurement.
 *
 * @throws BenchError E_BUILD when the bundle does not have the number exactly once
 */
export function cappedHelper(bundle: string, connections: number): string {
  const found = bundle.match(CONSTANT)?.length ?? 0;
  if (found !== 1) {
    throw new BenchError('E_BUILD', `Giving the helper ${connections} connections per server: its bundle has STOCK_CONNECTIONS_PER_SERVER ${found} times, not once`, 'adjust e2e/bench/figures/cappedHelper.ts to shared/src/fetching/connectionBudget.ts');
  }
  return bundle.replace(CONSTANT, `const STOCK_CONNECTIONS_PER_SERVER = ${connections};`);
}
