import type { Comparison, Results } from './results.ts';

/** One line that says what each scheme has gained and where to read more. */
export function lastLine({ comparisons, loads }: Results, reportPath: string): string {
  const failed = loads.filter((load) => load.failed !== null).length;
  const failures = failed > 0 ? `, ${failed} failed loads` : '';
  const gains = comparisons.filter(({ metric }) => metric === 'isrtMs').flatMap((isrt) => gain(isrt) ?? []);
  return `${gains.length === 0 ? 'No pair was measured' : `First screen ${gains.join('; ')}`}${failures}. Report: ${reportPath}`;
}

function gain({ scheme, baseline, overall: { value, low, high }, pages }: Comparison): string | null {
  if (value === null) return null;
  const percent = Math.abs(Math.round((1 - value) * 100));
  const direction = value <= 1 ? 'sooner' : 'later';
  const interval = low === null || high === null ? '' : ` [${low.toFixed(2)}, ${high.toFixed(2)}]`;
  return `${percent} % ${direction} with ${scheme} than ${baseline}: median ratio ${value.toFixed(2)}${interval} over ${pages.length} pages`;
}
