import { pseudoTexts } from '../languages.ts';
import type { Screen } from '../screenPage.ts';
import type { Studio } from '../studio.ts';
import { ACCESSIBLE_LOOKS, accessibilityFindings } from './accessibility.ts';
import { announcementFindings } from './announcements.ts';
import { mirrorFindings, placesOf, type Place } from './mirror.ts';
import { textFindings } from './texts.ts';

/** All that is wrong with a page in a state: for who does not see it as we do, or reads another language. */
export async function screenFindings(studio: Studio, screen: Screen): Promise<string[]> {
  const findings: string[] = [];
  for (const [name, look] of Object.entries(ACCESSIBLE_LOOKS)) {
    const { page } = await studio.show(screen, look);
    findings.push(...[...(await accessibilityFindings(page)), ...(await announcementFindings(page))].map((finding) => `${name}: ${finding}`));
    await page.close();
  }
  return [...findings, ...(await languageFindings(studio, screen))];
}

async function languageFindings(studio: Studio, screen: Screen): Promise<string[]> {
  const findings: string[] = [];
  const places: Readonly<Record<string, Place>>[] = [];
  for (const direction of ['ltr', 'rtl'] as const) {
    const { page } = await studio.show(screen, { scheme: 'light', scale: 1 }, pseudoTexts(studio.texts, direction));
    findings.push(...(await textFindings(page, screen)).map((finding) => `${direction}: ${finding}`));
    places.push(await placesOf(page));
    await page.close();
  }
  const [ltr = {}, rtl = {}] = places;
  return [...findings, ...mirrorFindings(ltr, rtl)];
}
