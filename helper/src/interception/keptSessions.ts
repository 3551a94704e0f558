import type { ServerHttp2Session } from 'node:http2';

/**
 * Chromium fails what it was about to ask for on a session when GOAWAY comes (`SpdySession::TryCreateStream`,
 * ERR_FAILED), and tries no other connection: of a page that waits for a session, all pictures. So a session is told to
 * end when nothing has been under way on it for this long, on a busy machine too.
 */
const QUIET_MS = 2_000;

interface Use {
  readonly host: unknown;
  streams: number;
  /** It is to end when it is quiet. */
  isLeft: boolean;
  timer?: NodeJS.Timeout;
}

/** The browser's sessions of HTTP/2 and the use of each, so that they can end without a loss. */
export class KeptSessions {
  private readonly uses = new Map<ServerHttp2Session, Use>();
  private isDraining = false;

  /** @param host whom it is for */
  opened(session: ServerHttp2Session, host: unknown): void {
    const use: Use = { host, streams: 0, isLeft: this.isDraining };
    this.uses.set(session, use);
    session.once('close', () => {
      clearTimeout(use.timer);
      this.uses.delete(session);
    });
    session.on('stream', (stream) => {
      use.streams += 1;
      clearTimeout(use.timer);
      stream.once('close', () => {
        use.streams -= 1;
        if (use.isLeft) this.endWhenQuiet(session, use);
      });
    });
    if (use.isLeft) this.endWhenQuiet(session, use);
  }

  /** Ends each session when what is under way has ended and nothing more comes (RFC 9113, section 6.8). */
  drain(): void {
    this.isDraining = true;
    this.leaveQuietly(() => true);
  }

  /** The same for the sessions of some hosts. */
  leaveQuietly(isMeant: (host: unknown) => boolean): void {
    for (const [session, use] of this.uses) {
      if (!isMeant(use.host)) continue;
      use.isLeft = true;
      this.endWhenQuiet(session, use);
    }
  }

  /** Ends the sessions of some hosts when what is under way has ended: nothing more may come on them, and what was about to is lost. */
  leave(isMeant: (host: unknown) => boolean): void {
    for (const [session, { host }] of this.uses) if (isMeant(host)) session.close();
  }

  private endWhenQuiet(session: ServerHttp2Session, use: Use): void {
    if (use.streams > 0) return;
    clearTimeout(use.timer);
    use.timer = setTimeout(() => session.close(), QUIET_MS).unref();
  }
}
