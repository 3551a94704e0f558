import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Look, OpenPage } from '../stage.ts';

/** In which everybody can use the pages. */
export const ACCESSIBLE_LOOKS: Readonly<Record<string, Look>> = {
  light: { scheme: 'light', scale: 1 },
  dark: { scheme: 'dark', scale: 1 },
  'forced colors': { scheme: 'dark', scale: 1, hasForcedColors: true },
};
/** WCAG 2.2, A and AA, and what axe itself advises. */
const OPTIONS: RunOptions = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'] };
const GRAVE: readonly unknown[] = ['serious', 'critical'];

/** What axe calls serious or critical, one line for each element. */
export async function accessibilityFindings(page: OpenPage): Promise<string[]> {
  await page.run(`${axe.source};0`);
  const { violations } = await page.evaluate((options) => (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(options), OPTIONS);
  return violations.flatMap(({ id, impact, nodes }) => (GRAVE.includes(impact) ? nodes.map(({ target, any, all, none }) => `${id}: ${target.join(' ')}: ${[...any, ...all, ...none].map(({ message }) => message).join(' ')}`) : []));
}
