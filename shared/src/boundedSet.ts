/** A set that forgets what was added longest ago. */
export class BoundedSet<T> {
  private readonly capacity: number;
  private readonly values = new Set<T>();

  /** @param capacity at least 1 */
  constructor(capacity: number) {
    this.capacity = capacity;
  }

  add(value: T): void {
    this.values.delete(value);
    this.values.add(value);
    for (const oldest of this.values) {
      if (this.values.size <= this.capacity) return;
      this.values.delete(oldest);
    }
  }

  has(value: T): boolean {
    return this.values.has(value);
  }

  /** @returns whether it was there */
  delete(value: T): boolean {
    return this.values.delete(value);
  }

  clear(): void {
    this.values.clear();
  }
}
