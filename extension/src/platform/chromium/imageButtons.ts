/**
 * `<input type=image>` that recovers from an error fires `load` twice in Chromium: it changes from its alternative text back to the image, and
 * with its new box it asks the image loader again. The page, which has seen no error, gets one.
 */
export class ImageButtons {
  /** URL by button: asked again, and loaded once. */
  private readonly asked = new WeakMap<HTMLInputElement, string>();
  private readonly loaded = new WeakMap<HTMLInputElement, string>();

  constructor() {
    // `load` of an element does not reach the window
    document.addEventListener(
      'load',
      (event) => {
        const button = event.target;
        if (!(button instanceof HTMLInputElement)) return;
        if (this.loaded.get(button) === button.src) event.stopImmediatePropagation();
        this.loaded.delete(button);
        if (this.asked.get(button) === button.src) this.loaded.set(button, button.src);
        this.asked.delete(button);
      },
      true,
    );
  }

  askedAgain(user: Element): void {
    if (user instanceof HTMLInputElement) this.asked.set(user, user.src);
  }
}
