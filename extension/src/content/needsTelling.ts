import type { FirstScreenNeeds } from '../../../shared/src/memory/neededObject.ts';

/** After it is parsed. A frame or a script that does not come keeps a page from its `load` event, and nobody stays for that. */
const LATE_MS = 5_000;

/** Tells what the first screen of this document needed: when it is at rest, or, if it loads for longer, sooner. */
export class NeedsTelling {
  private readonly readLate: () => Promise<FirstScreenNeeds>;
  private readonly tell: (needs: FirstScreenNeeds) => boolean;
  private isTold = false;

  /**
   * @param readLate of a page that is parsed and has not loaded
   * @param tell returns whether somebody has heard it
   */
  constructor(readLate: () => Promise<FirstScreenNeeds>, tell: (needs: FirstScreenNeeds) => boolean) {
    [this.readLate, this.tell] = [readLate, tell];
  }

  /** Somebody wants to know. One document is one visit: who asks again after a return to it, or after a rest, is told nothing. */
  async asked(atRest: () => Promise<FirstScreenNeeds>): Promise<void> {
    if (this.isTold) return;
    const rest = atRest();
    this.tellOnce(await Promise.race([rest, this.late(rest)]));
  }

  private tellOnce(needs: FirstScreenNeeds): void {
    if (!this.isTold) this.isTold = this.tell(needs);
  }

  private async late(rest: Promise<FirstScreenNeeds>): Promise<FirstScreenNeeds> {
    if (document.readyState === 'loading') await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }));
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    return await (document.readyState === 'complete' ? rest : this.readLate());
  }
}
