import type { OpenPage } from '../stage.ts';

/**
 * Regions that come with their first words, one line for each: a screen reader says what changes in those that it knows
 * already (WAI-ARIA 1.2, live region roles).
 */
export function announcementFindings(page: OpenPage): Promise<string[]> {
  return page.evaluate(() => {
    const isLate = (region: Element): boolean => !region.checkVisibility() && region.parentElement?.checkVisibility() === true;
    return [...document.querySelectorAll('[role=alert], [role=status], [aria-live]')].filter(isLate).map(({ id }) => `not there before it says something: #${id}`);
  }, null);
}
