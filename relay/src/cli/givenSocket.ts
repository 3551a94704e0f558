/** Where a service manager leaves the first socket that it has opened for a process (sd_listen_fds(3)). */
const FIRST_GIVEN_FD = 3;

/**
 * The listening socket that this process was started with; null without one, or for one that was meant for another process.
 *
 * @param pid of this process
 */
export function givenSocket({ LISTEN_PID, LISTEN_FDS }: NodeJS.ProcessEnv, pid: number): number | null {
  return LISTEN_PID === String(pid) && LISTEN_FDS === '1' ? FIRST_GIVEN_FD : null;
}
