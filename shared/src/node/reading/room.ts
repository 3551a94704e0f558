/** So much of something at a time; what finds no room goes without. */
export class Room {
  private readonly most: number;
  private left: number;

  constructor(most: number) {
    [this.most, this.left] = [most, most];
  }

  get isHalfTaken(): boolean {
    return 2 * this.left <= this.most;
  }

  /** @returns whether there is room for so much more, which is to be given back */
  take(amount = 1): boolean {
    if (amount > this.left) return false;
    this.left -= amount;
    return true;
  }

  give(amount = 1): void {
    this.left += amount;
  }
}
