/** Where a service manager leaves the first socket that it has opened for a process (sd_listen_fds(3)). */
const FIRST_GIVEN_FD = 3;

/** Listening sockets that this process was started with, in the order of its socket unit. */
export interface GivenSockets {
  readonly carrier: number | null;
  readonly proxy: number | null;
}

/**
 * That of carriers, and a second one for browsers; null each without one, or for one that was meant for another process.
 *
 * @param pid of this process
 */
export function givenSockets({ LISTEN_PID, LISTEN_FDS }: NodeJS.ProcessEnv, pid: number): GivenSockets {
  const sockets = LISTEN_PID === String(pid) && (LISTEN_FDS === '1' || LISTEN_FDS === '2') ? Number(LISTEN_FDS) : 0;
  return { carrier: sockets > 0 ? FIRST_GIVEN_FD : null, proxy: sockets > 1 ? FIRST_GIVEN_FD + 1 : null };
}
