import type { NeededObject } from '../../../shared/src/memory/neededObject.ts';
import type { HelperLink } from './helperLink.ts';

/** Pages that nobody asks about any more: closed before their document was there. */
const MAX_PENDING = 100;

/**
 * What the helper remembers of the pages that tabs go to: asked when a tab navigates, so that it is there when the document begins. Nothing of private windows is asked or
 * told.
 */
export class Recollection {
  private readonly expected = new Map<number, Promise<readonly NeededObject[]>>();
  private readonly helper: Pick<HelperLink, 'ask' | 'can'>;

  constructor(helper: Pick<HelperLink, 'ask' | 'can'>) {
    this.helper = helper;
  }

  /** The tab goes to another page. */
  navigated(tabId: number, url: string): void {
    this.expected.delete(tabId);
    if (!this.helper.can('memory')) return;
    this.expected.set(tabId, this.helper.ask('expect', { url }).then((answer) => answer?.objects ?? []));
    for (const oldest of this.expected.keys()) if (this.expected.size > MAX_PENDING) this.expected.delete(oldest);
  }

  /** What the page that the tab has gone to is expected to need; told once. */
  async take(tabId: number): Promise<readonly NeededObject[]> {
    const expected = this.expected.get(tabId);
    this.expected.delete(tabId);
    return (await expected) ?? [];
  }

  /** A page was shown, and its first screen needed these. */
  visited(url: string, needed: readonly NeededObject[]): void {
    if (this.helper.can('memory')) void this.helper.ask('visited', { url, needed: [...needed] });
  }
}
