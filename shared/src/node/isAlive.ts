/** Whether a process is there, whoever's it is. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // of another user, but there
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
