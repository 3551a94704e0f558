/** What of a page the first screen can need, by how it is asked for. */
export const NEEDED_KINDS = ['style', 'script', 'font', 'image'] as const;
export type NeededKind = (typeof NEEDED_KINDS)[number];

/** Of one page. */
export const MAX_NEEDED_OBJECTS = 200;
/** What is longer is made for one visit. */
export const MAX_NEEDED_URL_CHARS = 2048;

/** An object that the first screen of a page needed. */
export interface NeededObject {
  readonly url: string;
  readonly kind: NeededKind;
  /** Of its body as it was sent, 0 when that is not known. */
  readonly bytes: number;
}
