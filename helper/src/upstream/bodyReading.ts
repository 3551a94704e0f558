import type { Dispatcher } from 'undici';

/**
 * Whether the body of an answer is read on: while its sink takes it and, where it is read by credit, that lasts. What a
 * socket does not give away, its connection's window closes by, and the server stops.
 */
export class BodyReading {
  private readonly controller: Pick<Dispatcher.DispatchController, 'pause' | 'resume'>;
  private creditBytes: number;
  private receivedBytes = 0;
  private isWhole = false;
  private isHeld = false;
  private isPaused = false;

  /** @param isByCredit whether no more is read than was given, but for the last piece */
  constructor(controller: Pick<Dispatcher.DispatchController, 'pause' | 'resume'>, isByCredit: boolean) {
    this.controller = controller;
    this.creditBytes = isByCredit ? 0 : Infinity;
  }

  /** So much more may be read. */
  give(bytes: number): void {
    this.creditBytes += bytes;
    this.settle();
  }

  /** @param isWhole whether nothing more is to come: only its end, which has to be read */
  received(bytes: number, isWhole: boolean): void {
    this.receivedBytes += bytes;
    this.isWhole = isWhole;
    this.settle();
  }

  /** Whether its sink takes no more for now. */
  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
    this.settle();
  }

  private get isStopped(): boolean {
    // before anything has come there is nothing to pause: the first piece comes with the head, and tells a picture's size
    const isSpent = this.receivedBytes > 0 && this.receivedBytes >= this.creditBytes && !this.isWhole;
    return this.isHeld || isSpent;
  }

  private settle(): void {
    if (this.isStopped) this.controller.pause();
    // what is there comes at once when it resumes, while who gives credit still counts
    else if (this.isPaused) queueMicrotask(() => this.isStopped || this.controller.resume());
    this.isPaused = this.isStopped;
  }
}
