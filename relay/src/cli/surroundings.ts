import type { LogSink } from '../../../shared/src/log.ts';
import type { IsPublic } from '../../../shared/src/names/addressPolicy.ts';

/** The process around the command line. */
export interface Surroundings {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  readonly log: LogSink;
  /** The process is asked to end. */
  readonly ended: AbortSignal;
  /** Where the relay may connect to. */
  readonly isPublic: IsPublic;
  /** Certificates of authorities besides those of browsers, PEM; null for none. */
  readonly authorities: string | null;
  /** The command line of a coder of pictures. */
  readonly coder: readonly string[];
  /** Absent: no socket is given to this process. */
  readonly env?: NodeJS.ProcessEnv;
}
