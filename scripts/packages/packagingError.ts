/** Why packages could not be made, with a stable code and the next step. */
export class PackagingError extends Error {
  override readonly name = 'PackagingError';
  readonly code: 'E_PACKAGE_OPTION' | 'E_PACKAGE_TOOL' | 'E_PACKAGE_NODE' | 'E_PACKAGE_CONTENT';
  readonly next: string;

  constructor(code: PackagingError['code'], message: string, next: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.next = next;
  }
}
