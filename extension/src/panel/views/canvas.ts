/** A canvas in CSS pixels that is as sharp as the screen, and tells when its size has changed. */
export class SharpCanvas {
  readonly element: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  width = 0;
  height = 0;
  private readonly resized: () => void;

  /** @param resized the canvas is empty now */
  constructor(element: HTMLCanvasElement, resized: () => void) {
    const context = element.getContext('2d');
    if (context === null) throw new TypeError('This browser draws on no canvas.');
    [this.element, this.context, this.resized] = [element, context, resized];
    new ResizeObserver(() => this.fit()).observe(element);
  }

  /** Everything is drawn anew. */
  clear(): void {
    this.context.clearRect(0, 0, this.width, this.height);
  }

  private fit(): void {
    const { clientWidth, clientHeight } = this.element;
    const ratio = window.devicePixelRatio;
    [this.width, this.height] = [clientWidth, clientHeight];
    [this.element.width, this.element.height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.resized();
  }
}
