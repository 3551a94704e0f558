import type { Site } from './exchange.ts';
import type { BrowserName, Mode } from './mode.ts';
import type { HostKind } from './place.ts';
import type { Tab, VisitTools } from './tab.ts';

/** What there is to see of a case: the same in all modes. */
export interface Seen {
  /** What the page's own script has told. */
  readonly page: unknown;
  /** What servers were asked for, sorted: method, scheme, host, path, headers. */
  readonly requests: readonly string[];
}

/** What differs all the same, for a reason that is not ours to mend. A run that shows another difference fails, and so does one that shows none. */
export interface KnownDifference {
  readonly browser: BrowserName;
  readonly modes: readonly Mode[];
  /** Why, what proves it, and what its user can do; part of the table's page. */
  readonly reason: string;
  /** Exactly what is different. */
  readonly expects: (seen: Seen) => void;
}

/** One row of the table. */
export interface HostileCase {
  /** First label of the case's hosts: letters, digits and hyphens. */
  readonly name: string;
  readonly title: string;
  readonly browsers?: readonly BrowserName[];
  /** Changes what other cases stand on, or disturbs them: runs by itself. */
  readonly alone?: true;
  readonly site: Site;
  /** By default: opens `/` and waits until its script is done. @returns what is told of the page */
  readonly visit?: (tab: Tab, tools: VisitTools) => Promise<unknown>;
  /** Holds in all modes, stock too: without it a case that sees nothing would pass. */
  readonly expects: (seen: Seen, mode: Mode) => void;
  /** What has to be the same as in stock; by default everything. */
  readonly compared?: (seen: Seen) => unknown;
  readonly known?: KnownDifference;
}

export function knownDifference({ known }: Pick<HostileCase, 'known'>, browser: BrowserName, mode: Mode): KnownDifference | undefined {
  return known?.browser === browser && known.modes.includes(mode) ? known : undefined;
}

/** Rows of the table. By a call, in whose arguments the linter sees that functions have their types. */
export function rows(cases: readonly HostileCase[]): readonly HostileCase[] {
  return cases;
}

/** Cases that run several times have hosts of their own each time: `NAME--2` is the second. */
export function labelOf(name: string, time: number): string {
  return time === 1 ? name : `${name}--${time}`;
}

export function nameOf(label: string): string {
  return label.replace(/--\d+$/, '');
}

/** Opens a page. @returns what its script has told */
export async function toldBy(tab: Tab, url: string): Promise<unknown> {
  await tab.open(url);
  return tab.finished();
}

/** How often servers were asked for a path, whatever the headers were. */
export function timesAsked({ requests }: Seen, path: string, kind: HostKind = 'own'): number {
  return requests.filter((line) => line.split(' ')[2] === `${kind}${path}`).length;
}

/** All but which resources the page has been told of, to be compared. */
export function notesAndImages({ page, requests }: Seen): object {
  const { notes, images } = page as { readonly notes: object; readonly images: object };
  return { notes, images, requests };
}
