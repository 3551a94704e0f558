import { pageKeys } from '../../../shared/src/memory/pageKey.ts';
import { MAX_URL_CHARS } from '../../../shared/src/protocol/content.ts';
import { MAX_REMOVED_URLS, type ExtensionMessageOf } from '../../../shared/src/protocol/native.ts';

type Told = ExtensionMessageOf<'historyRemoved'>['payload'];

/** More than the memory has by far: who erases so much means all that it could have. */
const MAX_PAGES = 5_000;
/** Of the addresses of one message; the frame's limit is 1 MiB. */
const MAX_MESSAGE_CHARS = 500_000;

/**
 * Pages that the browser has erased from its history and the helper has not from its memory yet. Of an address there is
 * no more than the memory would keep.
 */
export class RemovedPages {
  private readonly pages = new Set<string>();
  private areAll = false;

  add(urls: readonly string[]): void {
    for (const url of urls) {
      // what is longer was never told of
      if (!/^https?:/i.test(url) || url.length > MAX_URL_CHARS) continue;
      this.pages.add(pageKeys(url).page);
      if (this.pages.size > MAX_PAGES) this.addAll();
    }
  }

  addAll(): void {
    this.areAll = true;
    this.pages.clear();
  }

  get isEmpty(): boolean {
    return !this.areAll && this.pages.size === 0;
  }

  /** Takes out what one message holds; null when there is nothing. What it could not be told is to be put back. */
  take(): Told | null {
    if (this.isEmpty) return null;
    if (this.areAll) {
      this.areAll = false;
      this.pages.clear();
      return { urls: null };
    }
    const urls: string[] = [];
    let chars = 0;
    for (const page of this.pages) {
      chars += page.length;
      if (urls.length === MAX_REMOVED_URLS || (urls.length > 0 && chars > MAX_MESSAGE_CHARS)) break;
      urls.push(page);
    }
    for (const url of urls) this.pages.delete(url);
    return { urls };
  }

  putBack({ urls }: Told): void {
    if (urls === null) this.addAll();
    else this.add(urls);
  }
}
