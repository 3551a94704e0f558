import type { OpenPage } from '../stage.ts';

/** Of rounding. */
const SLACK_PX = 1;

/** Where an element stands, as a reader meets it. */
export interface Place {
  readonly element: string;
  /** CSS pixels from the side at which lines begin. */
  readonly start: number;
  readonly end: number;
}

/** By each element's number among those that are seen. @returns none of what flows within a line, or stands where time or files go from left to right in every language */
export function placesOf(page: OpenPage): Promise<Readonly<Record<string, Place>>> {
  return page.evaluate(() => {
    const { clientWidth, dir } = document.documentElement;
    const isRtl = dir === 'rtl';
    const places: Record<string, Place> = {};
    const seen = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => element.checkVisibility({ visibilityProperty: true }));
    for (const [number, element] of seen.entries()) {
      const { parentElement, tagName, id, className } = element;
      if (parentElement === null || getComputedStyle(element).display === 'inline') continue;
      if (getComputedStyle(parentElement).direction !== (isRtl ? 'rtl' : 'ltr')) continue;
      const { left, right } = element.getBoundingClientRect();
      const name = `<${tagName.toLowerCase()}${id === '' ? '' : ` id=${id}`}${className === '' ? '' : ` class=${className}`}>`;
      places[number] = { element: name, start: isRtl ? clientWidth - right : left, end: isRtl ? clientWidth - left : right };
    }
    return places;
  }, null);
}

/** A page whose styles know no left and right is its own mirror image from right to left, with the same texts. */
export function mirrorFindings(ltr: Readonly<Record<string, Place>>, rtl: Readonly<Record<string, Place>>): string[] {
  return Object.entries(rtl).flatMap(([number, { element, start, end }]) => {
    const before = ltr[number];
    if (before === undefined) return [`only from right to left: ${element}`];
    if (Math.abs(before.start - start) <= SLACK_PX && Math.abs(before.end - end) <= SLACK_PX) return [];
    return [`not mirrored: ${element}: from ${before.start} to ${before.end}, and from right to left from ${start} to ${end}`];
  });
}
