/**
 * Has a document timed for the background script that it began with. One that comes later, as after the browser has
 * ended the first, or for a page that comes back out of its memory, does not know whether Firstscreen had a part in how
 * the page was loaded.
 */
export class TimedOnce {
  private scripts = 0;

  /** A background script is there, the first or another one. */
  met(): void {
    this.scripts += 1;
  }

  /** It has asked, as each does once. @returns null where it is not told */
  async asked<Timing>(time: () => Promise<Timing>): Promise<Timing | null> {
    if (this.scripts > 1) return null;
    const timing = await time();
    return this.scripts > 1 ? null : timing;
  }
}
