/** Of a body of 1.2 MB brotli was measured at 7.5 MB while it works, zstd at 4.7: all together have 480 MB at the most, whatever pages ask for at once. */
const MAX_ENCODERS = 64;

/** How many bodies are coded at a time, of all clients. What comes while there are as many goes on as it is. */
export class EncoderRoom {
  private left: number;

  constructor(encoders = MAX_ENCODERS) {
    this.left = encoders;
  }

  /** @returns whether there is room for one more, which is to be given back */
  take(): boolean {
    if (this.left === 0) return false;
    this.left -= 1;
    return true;
  }

  give(): void {
    this.left += 1;
  }
}
