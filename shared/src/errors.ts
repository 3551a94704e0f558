/** Every error code of the product, by what a caller can do about it. Codes are stable: match codes, never texts. */
export const ERROR_CODES = {
  /** The input is wrong, and will be wrong again; mend the input. */
  invalid: [
    'E_FRAME_TOO_LARGE', 'E_FRAME_TRUNCATED', 'E_URL_TOO_LONG', 'E_MESSAGE_JSON', 'E_MESSAGE_SCHEMA', 'E_MESSAGE_TYPE',
    'E_MESSAGE_ORDER', 'E_CERTIFICATE_NAME', 'E_EXCLUDED_HOSTS', 'E_OPTION', 'E_PROXY_TARGET', 'E_RECORDING',
    'E_RELAY_CERTIFICATE', 'E_RELAY_CONFIG', 'E_RELAY_CONTROL', 'E_RELAY_LINK', 'E_RELAY_PROGRAM', 'E_RELAY_SETTINGS', 'E_SERVER_AUTHORITIES', 'E_SITE', 'E_SITES_FILE', 'E_SITES_FULL',
  ],
  /** This browser, kernel or version can not do it. */
  unsupported: ['E_PROTOCOL_VERSION', 'E_CLIENT_CERTIFICATE', 'E_DRIVER_VERSION', 'E_UPSTREAM_ANSWER', 'E_PLATFORM', 'E_RELAY_MACHINE', 'E_RELAY_UNSUPPORTED', 'E_RELAY_VERSION', 'E_SITES_VERSION'],
  /** The other side is not there now; go on without it, try later. */
  unavailable: [
    'E_AUTHORITY', 'E_CERTUTIL', 'E_TRUST_STORE', 'E_CONNECT', 'E_DRIVER_UNAVAILABLE', 'E_UPSTREAM', 'E_UPSTREAM_TLS',
    'E_HELPER_UNAVAILABLE', 'E_INSTALL', 'E_POLICY', 'E_MEMORY', 'E_NAME', 'E_PROXY_IN_USE', 'E_RELAY_LIMIT', 'E_RELAY_LISTEN',
    'E_RELAY_SETUP', 'E_RELAY_STORE', 'E_RELAY_UNAVAILABLE', 'E_SSH',
  ],
  /** The other side did not answer in time; go on without it. */
  timeout: ['E_HELPER_TIMEOUT'],
  /** The caller may not do this. */
  denied: ['E_CALLER', 'E_CERTIFICATE_REFUSED', 'E_ADDRESS', 'E_DRIVER_REFUSED', 'E_NOT_ROOT', 'E_RELAY_CLIENT', 'E_RELAY_IDENTITY', 'E_RELAY_REFUSED'],
  /** A defect of ours. */
  internal: ['E_INTERNAL'],
} as const;

export type ErrorCode = (typeof ERROR_CODES)[keyof typeof ERROR_CODES][number];

/** Whether something is a code of this release. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return Object.values(ERROR_CODES).some((codes: readonly unknown[]) => codes.includes(code));
}

/** An error with a stable code and the next step for whoever reads it. */
export class FirstscreenError extends Error {
  override readonly name = 'FirstscreenError';
  readonly code: ErrorCode;
  readonly next: string;

  /**
   * @param message attempt, object and cause, in one sentence
   * @param next what the reader should do now
   */
  constructor(code: ErrorCode, message: string, next: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.next = next;
  }
}

/** The code of any error; one that has none is a defect of ours. */
export function codeOf(error: unknown): ErrorCode {
  return error instanceof FirstscreenError ? error.code : 'E_INTERNAL';
}

/** An error that has a code as it is; any other as a defect of ours, with this message. */
export function coded(error: unknown, message: string, next = "Report this with the helper's log."): FirstscreenError {
  return error instanceof FirstscreenError ? error : new FirstscreenError('E_INTERNAL', message, next, { cause: error });
}
