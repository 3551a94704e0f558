/** Of a page's own markup. @throws TypeError when it has no such element */
export function element<T extends Element>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new TypeError(`${document.title} has no ${type.name} #${id}`);
  return found;
}

/** Only on a change, so that screen readers do not repeat what has not changed. @param target of the page's own markup by its id, or any */
export function setText(target: string | HTMLElement, text: string): void {
  const found = typeof target === 'string' ? element(target, HTMLElement) : target;
  if (found.textContent !== text) found.textContent = text;
}

/** What pages and servers say goes in as text alone. */
export function create<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Partial<HTMLElementTagNameMap[K]>, ...children: readonly (Node | string)[]): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}
