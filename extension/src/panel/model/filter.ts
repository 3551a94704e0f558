import { OBJECT_CLASSES, type ObjectClass } from './objectClass.ts';
import type { PanelRequest } from './panelRequest.ts';

/** Which requests are shown. */
export interface Filter {
  /** Any part of the URL, in any case; several words have to be there all. */
  readonly text: string;
  readonly classes: ReadonlySet<ObjectClass>;
  /** Null for all. */
  readonly server: string | null;
}

export const NO_FILTER: Filter = { text: '', classes: new Set(OBJECT_CLASSES), server: null };

export function passes({ text, classes, server }: Filter, { url, objectClass, server: ofRequest }: PanelRequest): boolean {
  if (!classes.has(objectClass) || (server !== null && server !== ofRequest)) return false;
  if (text === '') return true;
  const where = url.toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => where.includes(word));
}
