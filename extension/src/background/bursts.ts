import { inMessages } from './inMessages.ts';

/** A style sheet has dozens of images asked for at once, each as an event of its own. */
const COALESCE_MS = 4;

/** Gathers what comes one by one, by what it is of. */
export class Bursts {
  private readonly gathered = new Map<string, string[]>();
  private readonly tell: (of: string, urls: string[]) => void;

  constructor(tell: (of: string, urls: string[]) => void) {
    this.tell = tell;
  }

  add(of: string, url: string): void {
    if (this.gathered.size === 0) setTimeout(() => this.flush(), COALESCE_MS);
    const urls = this.gathered.get(of);
    if (urls === undefined) this.gathered.set(of, [url]);
    else urls.push(url);
  }

  private flush(): void {
    for (const [of, urls] of this.gathered) for (const each of inMessages(urls, (url) => url)) this.tell(of, each);
    this.gathered.clear();
  }
}
