/** Share of pixels that a picture may differ from stock's beyond what stock differs from itself. */
const PICTURE_LIMIT = 0.01;

/** Whether a scheme's picture differs from stock's by more than the page's own noise explains. */
export function pictureBroken(difference: number | null, noise: number | null): boolean {
  return difference !== null && difference > PICTURE_LIMIT + (noise ?? 0);
}
