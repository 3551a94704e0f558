/** Why a load does not count. */
export type FailureCode = 'BROWSER' | 'EXTENSION' | 'RELAY' | 'NAVIGATION' | 'TIMEOUT' | 'CRASH' | 'LINK_LATE' | 'NO_PICTURE' | 'LOST_IN_VIEW' | 'NO_JOURNEY' | 'OTHER_WAY';

/** A load that did not come to an end that can be measured. */
export class LoadFailure extends Error {
  override readonly name = 'LoadFailure';
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string) {
    super(message);
    this.code = code;
  }
}
