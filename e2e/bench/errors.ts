/** An error of the test bed (link, hosting, build) that ends a benchmark: a code, what happened, and what to do about it. */
export class BenchError extends Error {
  override readonly name = 'BenchError';
  readonly code: string;
  readonly next: string;

  constructor(code: string, message: string, next: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.next = next;
  }
}
