import * as v from 'valibot';

/** A list in the extension's own storage that several change. */
export class StoredList<Item> {
  private readonly key: string;
  private readonly schema: v.GenericSchema<unknown, readonly Item[]>;

  /** @param key of storage.local, and of the lock; no setting: it is written after many a page */
  constructor(key: string, schema: v.GenericSchema<unknown, readonly Item[]>) {
    [this.key, this.schema] = [key, schema];
  }

  /** What is stored and does not fit is not used. */
  async read(): Promise<readonly Item[]> {
    const { [this.key]: stored } = await chrome.storage.local.get(this.key);
    const list = v.safeParse(this.schema, stored);
    return list.success ? list.output : [];
  }

  watch(changed: () => void): void {
    chrome.storage.local.onChanged.addListener((changes) => {
      if (this.key in changes) changed();
    });
  }

  /** One after the other, whichever page of the extension makes it, so that nothing is lost of two changes at once. An empty list leaves nothing. */
  async change(make: (list: readonly Item[]) => readonly Item[]): Promise<void> {
    await navigator.locks.request(this.key, async () => {
      const list = make(await this.read());
      await (list.length === 0 ? chrome.storage.local.remove(this.key) : chrome.storage.local.set({ [this.key]: list }));
    });
  }
}
