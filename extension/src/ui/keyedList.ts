/** A row of a list, as long as its item is there. */
export interface Row<Item> {
  readonly element: HTMLElement;
  readonly show: (item: Item) => void;
  /** What takes the focus when the row beside it goes. */
  readonly focused: HTMLElement;
}

/** A list on a page whose rows stay, with the focus in them, while other items come and go. */
export class KeyedList<Item> {
  private readonly list: HTMLElement;
  private readonly keyOf: (item: Item) => string;
  private readonly make: (item: Item) => Row<Item>;
  private rows = new Map<string, Row<Item>>();

  constructor(list: HTMLElement, keyOf: (item: Item) => string, make: (item: Item) => Row<Item>) {
    this.list = list;
    this.keyOf = keyOf;
    this.make = make;
  }

  /** @param otherwise takes the focus when it was in the last row, and that is gone */
  show(items: readonly Item[], otherwise: HTMLElement): void {
    const before = [...this.rows.values()];
    const focused = before.findIndex(({ element }) => element.contains(document.activeElement));
    const now = new Map(items.map((item) => {
      const key = this.keyOf(item);
      const row = this.rows.get(key) ?? this.make(item);
      row.show(item);
      return [key, row] as const;
    }));
    const stays = new Set(now.values());
    for (const row of before) if (!stays.has(row)) row.element.remove();
    let next = this.list.firstElementChild;
    for (const { element } of stays) {
      if (element === next) next = next.nextElementSibling;
      else this.list.insertBefore(element, next);
    }
    this.rows = now;
    const lost = before[focused];
    if (lost === undefined || stays.has(lost)) return;
    const beside = [...before.slice(focused), ...before.slice(0, focused).reverse()].find((row) => stays.has(row));
    (beside?.focused ?? otherwise).focus();
  }
}
