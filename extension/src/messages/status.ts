/** What the popup asks the background script. */
export interface StatusQuestion {
  readonly type: 'status';
  readonly tabId: number;
}

/** What the popup shows of a tab's page; objects are images. */
export interface TabStatus {
  /** Were held, since the page began. */
  readonly held: number;
  /** Of these, were let go. */
  readonly released: number;
  /** Of these, stood in view when they were let go. */
  readonly inView: number;
  readonly helper: 'connecting' | 'connected' | 'absent';
}
