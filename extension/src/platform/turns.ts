/** Has one thing done after the other, whether the one before has failed or not. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  take<T>(act: () => Promise<T>): Promise<T> {
    const done = this.last.then(act);
    this.last = done.catch(() => undefined);
    return done;
  }

  /** Resolves when what was to be done until now is over. */
  over(): Promise<unknown> {
    return this.last;
  }
}
