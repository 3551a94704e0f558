/** By whom a bundle is installed: a person from a store, an administrator's policy, or a person in Firefox. One bundle each. */
export type InstallationKind = 'store' | 'policy' | 'firefox';

/** What a browser tells with `runtime.onInstalled`. */
export interface Installed {
  /** `install`, `update` of the extension or of the browser. */
  readonly reason: string;
  /** Firefox alone: loaded from a directory until the browser ends. */
  readonly temporary?: boolean;
}
