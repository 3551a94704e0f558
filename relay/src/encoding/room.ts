/** So much of something at a time; what finds no room goes without. */
export class Room {
  private left: number;

  constructor(most: number) {
    this.left = most;
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
