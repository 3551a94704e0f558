import { inMessages } from './inMessages.ts';

/** A style sheet has dozens of images asked for at once, each as an event of its own. */
const COALESCE_MS = 4;

/** Tells of URLs that come one by one. */
export class Bursts {
  private urls: string[] = [];
  private readonly tell: (urls: string[]) => void;

  constructor(tell: (urls: string[]) => void) {
    this.tell = tell;
  }

  add(url: string): void {
    if (this.urls.length === 0) setTimeout(() => this.flush(), COALESCE_MS);
    this.urls.push(url);
  }

  private flush(): void {
    const { urls } = this;
    this.urls = [];
    for (const each of inMessages(urls, (url) => url)) this.tell(each);
  }
}
