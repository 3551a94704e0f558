/**
 * What had the focus may be hidden now: then the next step has it, or who comes by keyboard or screen reader begins at
 * the top of the page again.
 *
 * @param before what had it, taken before something was hidden
 * @param next of these the first that is seen
 */
export function keepFocus(before: Element | null, next: readonly HTMLElement[]): void {
  if (!(before instanceof HTMLElement) || before === document.body || before.checkVisibility()) return;
  next.find((each) => each.checkVisibility())?.focus();
}
