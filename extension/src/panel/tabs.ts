/** Tabs by the pattern of WAI-ARIA: one of them is in the order of keys, arrows go between them. */
export class Tabs {
  private readonly tabs: readonly HTMLElement[];
  private readonly changed: () => void;

  constructor(list: HTMLElement, changed: () => void) {
    this.tabs = [...list.querySelectorAll<HTMLElement>('[role="tab"]')];
    this.changed = changed;
    for (const tab of this.tabs) tab.addEventListener('click', () => this.choose(tab));
    list.addEventListener('keydown', (event) => this.key(event));
    const [first] = this.tabs;
    if (first !== undefined) this.choose(first);
  }

  /** Whether the tab's panel is the one that is seen. */
  isChosen(panelId: string): boolean {
    return this.tabs.some((tab) => tab.getAttribute('aria-controls') === panelId && tab.ariaSelected === 'true');
  }

  private choose(chosen: HTMLElement): void {
    for (const tab of this.tabs) {
      const isChosen = tab === chosen;
      tab.ariaSelected = String(isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
      if (panel !== null) panel.hidden = !isChosen;
    }
    this.changed();
  }

  private key(event: KeyboardEvent): void {
    const isBackwards = getComputedStyle(document.documentElement).direction === 'rtl';
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const place = this.tabs.findIndex(({ ariaSelected }) => ariaSelected === 'true') + (isBackwards ? -step : step);
    const next = this.tabs[(place + this.tabs.length) % this.tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    this.choose(next);
    next.focus();
  }
}
