import type { Destination } from '../../../../shared/src/names/authority.ts';
import type { SshTarget } from './sshTarget.ts';

/** What `relay setup` is told. */
export interface SetupOrder {
  readonly target: SshTarget;
  /** Where helpers will find it; null: where ssh goes, at the usual port. */
  readonly address: Destination | null;
  /** The relay's executable; null: where one is looked for. */
  readonly program: string | null;
}
