/**
 * What styles draw with: half of the requests of recorded pages and a quarter of their bytes. They are many, small and mostly in view, so holding
 * these in Chromium costs more than their bytes do. What has no such name (photographs, and whatever servers make up) is worth a hold. A name may have a
 * version or parameters behind it without a query (`icons.png;v=3`, `icons.png@3`). RE2 syntax.
 */
export const SMALL_FORMATS = '^[^?#]*\\.(gif|png|svg|ico)([^a-zA-Z0-9./?#][^/?#]*)?([?#]|$)';

const pattern = new RegExp(SMALL_FORMATS, 'i');

export function isSmallFormat(url: string): boolean {
  return pattern.test(url);
}
