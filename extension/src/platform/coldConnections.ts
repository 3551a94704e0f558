/**
 * The browser's connections, closed before a load that is to begin as a first visit does: over those of the load before
 * less is waited for, and what Firstscreen shortens is mostly waiting. One implementation per browser mechanism.
 */
export interface ColdConnections {
  /** Whether the helper has to take part. */
  readonly needsHelper: boolean;
  /**
   * Resolves when no request joins an idle connection of before.
   *
   * @param port on which the helper takes connections for a moment; null without it
   */
  close(port: number | null): Promise<void>;
}
