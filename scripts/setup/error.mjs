/** A set-up step that failed: a stable code, what was tried and why it failed, and what the reader should do next. */
export class SetupError extends Error {
  /**
   * @param {'E_SETUP_NODE' | 'E_SETUP_NPM' | 'E_SETUP_PACKAGES' | 'E_SETUP_GO' | 'E_SETUP_BUILD' | 'E_SETUP_PART_MISSING' | 'E_SETUP_LOCK'} code
   * @param {string} message attempt, object and cause, no full stop
   * @param {string} next what the reader should do now, no full stop
   */
  constructor(code, message, next) {
    super(message);
    this.name = 'SetupError';
    this.code = code;
    this.next = next;
  }
}
