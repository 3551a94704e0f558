/**
 * The browser's connections, closed before a load that is to begin as a first visit does: over those of the load before
 * less is waited for, and what Firstscreen shortens is mostly waiting. One implementation per browser mechanism.
 */
export interface ColdConnections {
  /** Whether closing them may break off what other tabs do: the user has to agree. */
  readonly disturbs: boolean;
  /** Whether `close` can do it: the browser lets it. */
  mayClose(): Promise<boolean>;
  /** Has the browser ask the user, where it does; only inside a click. @returns whether it lets it now */
  request(): Promise<boolean>;
  /** Gives back what was asked for. */
  giveUp(): Promise<void>;
  /** Resolves when no new request joins a connection of before. */
  close(): Promise<void>;
}
