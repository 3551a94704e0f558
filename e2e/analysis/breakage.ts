/** Share of pixels that a picture may differ from stock's beyond what stock differs from itself. */
const PICTURE_LIMIT = 0.01;

/** Whether a scheme's picture differs from stock's by more than the page's own noise explains. */
export function pictureBroken(difference: number | null, noise: number | null): boolean {
  return difference !== null && difference > PICTURE_LIMIT + (noise ?? 0);
}

/** A page whose median ratio is above this is harmed: below it a ratio of 1 can not be told from it with few pairs. */
export const HARM_RATIO = 1.03;

/** Pages whose ratio is above HARM_RATIO, worst first. */
export function harmedPages(pages: readonly { readonly page: string; readonly ratio: { readonly value: number | null } }[]): { page: string; ratio: number }[] {
  return pages
    .flatMap(({ page, ratio: { value } }) => (value !== null && value > HARM_RATIO ? [{ page, ratio: value }] : []))
    .toSorted((a, b) => b.ratio - a.ratio);
}
