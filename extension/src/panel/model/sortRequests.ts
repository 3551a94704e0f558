import { OBJECT_CLASSES } from './objectClass.ts';
import type { PanelRequest } from './panelRequest.ts';

export const COLUMNS = ['name', 'server', 'connection', 'class', 'status', 'bytes', 'begin', 'lasts', 'end'] as const;
export type Column = (typeof COLUMNS)[number];

export interface Sorting {
  readonly column: Column;
  readonly isDescending: boolean;
}

const KEYS: Readonly<Record<Column, (request: PanelRequest) => string | number>> = {
  name: ({ name }) => name.toLowerCase(),
  server: ({ server }) => server,
  connection: ({ connection }) => connection,
  class: ({ objectClass }) => OBJECT_CLASSES.indexOf(objectClass),
  status: ({ browser }) => browser?.status ?? 0,
  bytes: ({ bytes }) => bytes,
  begin: ({ beginMs }) => beginMs,
  lasts: ({ beginMs, endMs }) => endMs - beginMs,
  end: ({ endMs }) => endMs,
};

/** What is alike stays in the order of its beginning. */
export function sorted(requests: readonly PanelRequest[], { column, isDescending }: Sorting): PanelRequest[] {
  const keyOf = KEYS[column];
  const compare = (a: PanelRequest, b: PanelRequest): number => {
    const [left, right] = [keyOf(a), keyOf(b)];
    if (typeof left === 'number' && typeof right === 'number') return left - right;
    return String(left) < String(right) ? -1 : String(left) > String(right) ? 1 : 0;
  };
  return requests.toSorted((a, b) => (isDescending ? compare(b, a) : compare(a, b)));
}
