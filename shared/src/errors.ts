/**
 * What a caller can do about an error; every code belongs to one kind.
 *
 * - `invalid`: the input is wrong, and will be wrong again; mend the input.
 * - `unsupported`: this browser, kernel or version can not do it.
 * - `unavailable`: the other side is not there now; go on without it, try later.
 * - `timeout`: the other side did not answer in time; go on without it.
 * - `denied`: the caller may not do this.
 * - `internal`: a defect of ours.
 */
export type ErrorKind = 'invalid' | 'unsupported' | 'unavailable' | 'timeout' | 'denied' | 'internal';

/** Every error code of the product, with its kind. Codes are stable: match codes, never texts. */
export const ERROR_KINDS = {
  E_FRAME_TOO_LARGE: 'invalid',
  E_FRAME_TRUNCATED: 'invalid',
  E_URL_TOO_LONG: 'invalid',
  E_MESSAGE_JSON: 'invalid',
  E_MESSAGE_SCHEMA: 'invalid',
  E_MESSAGE_TYPE: 'invalid',
  E_MESSAGE_ORDER: 'invalid',
  E_PROTOCOL_VERSION: 'unsupported',
  E_CALLER: 'denied',
  E_AUTHORITY: 'unavailable',
  E_CERTIFICATE_REFUSED: 'denied',
  E_CERTIFICATE_NAME: 'invalid',
  E_CLIENT_CERTIFICATE: 'unsupported',
  E_CERTUTIL: 'unavailable',
  E_TRUST_STORE: 'unavailable',
  E_EXCLUDED_HOSTS: 'invalid',
  E_OPTION: 'invalid',
  E_ADDRESS: 'denied',
  E_CONNECT: 'unavailable',
  E_DRIVER_REFUSED: 'denied',
  E_DRIVER_UNAVAILABLE: 'unavailable',
  E_DRIVER_VERSION: 'unsupported',
  E_UPSTREAM: 'unavailable',
  E_UPSTREAM_TLS: 'unavailable',
  E_HELPER_UNAVAILABLE: 'unavailable',
  E_HELPER_TIMEOUT: 'timeout',
  E_INSTALL: 'unavailable',
  E_NOT_ROOT: 'denied',
  E_POLICY: 'unavailable',
  E_MEMORY: 'unavailable',
  E_NAME: 'unavailable',
  E_PLATFORM: 'unsupported',
  E_PROXY_IN_USE: 'unavailable',
  E_PROXY_TARGET: 'invalid',
  E_INTERNAL: 'internal',
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_KINDS;

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

  get kind(): ErrorKind {
    return ERROR_KINDS[this.code];
  }
}
