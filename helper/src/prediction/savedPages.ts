import { HostSet } from '../names/hostSet.ts';

/** Of which pages images are wanted only when somebody comes near them: of the nearest host that says something, or in general. */
export class SavedPages {
  private readonly inGeneral: boolean;
  private readonly on: HostSet;
  private readonly off: HostSet;

  /** @param on hosts as in a URL, in ASCII, with everything under them; `off` likewise */
  constructor({ inGeneral, on, off }: { readonly inGeneral: boolean; readonly on: readonly string[]; readonly off: readonly string[] }) {
    [this.inGeneral, this.on, this.off] = [inGeneral, new HostSet(on), new HostSet(off)];
  }

  has(pageUrl: string): boolean {
    const { hostname } = new URL(pageUrl);
    const [on, off] = [this.on.covering(hostname), this.off.covering(hostname)];
    if (on === null && off === null) return this.inGeneral;
    return (on?.length ?? 0) > (off?.length ?? 0);
  }
}
