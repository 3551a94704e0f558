import type { Results } from './results.ts';

/** One line that says what was gained and where to read more. */
export function lastLine({ comparisons, loads }: Results, reportPath: string): string {
  const isrt = comparisons.find(({ metric }) => metric === 'isrtMs');
  const failed = loads.filter((load) => load.failed !== null).length;
  const failures = failed > 0 ? `, ${failed} failed loads` : '';
  if (!isrt || isrt.overall.value === null) return `No pair was measured${failures}. Report: ${reportPath}`;
  const { value, low, high } = isrt.overall;
  const percent = Math.abs(Math.round((1 - value) * 100));
  const direction = value <= 1 ? 'sooner' : 'later';
  const interval = low === null || high === null ? '' : ` [${low.toFixed(2)}, ${high.toFixed(2)}]`;
  return `First screen ${percent} % ${direction} with ${isrt.scheme} than ${isrt.baseline}: median ratio ${value.toFixed(2)}${interval} over ${isrt.pages.length} pages${failures}. Report: ${reportPath}`;
}
