/** What is read of a process in Linux's /proc. Pure: the texts are arguments. */
export interface ProcessMemory {
  /** VmRSS: resident now. */
  readonly rssBytes: number;
  /** VmHWM: the most that ever was resident. */
  readonly peakBytes: number;
}

const BYTES_PER_KIB = 1024;
/** USER_HZ, which is 100 wherever Linux runs today (proc_pid_stat(5)). */
const MS_PER_TICK = 10;
/** Of the fields after the name, which may itself hold blanks and brackets: utime is field 14 of the line, the state is field 3. */
const UTIME = 14 - 3;

/** @param status /proc/PID/status. @throws Error when a line is not there: the process has ended */
export function memoryOf(status: string): ProcessMemory {
  const bytes = (name: string): number => {
    const kib = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
    if (kib === undefined) throw new Error(`/proc status has no ${name}`);
    return Number(kib) * BYTES_PER_KIB;
  };
  return { rssBytes: bytes('VmRSS'), peakBytes: bytes('VmHWM') };
}

/** Processor time of all threads of a process, its own and the kernel's for it. @param stat /proc/PID/stat */
export function processorMsOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[UTIME]) + Number(fields[UTIME + 1]);
  if (Number.isNaN(ticks)) throw new Error('/proc stat has no utime and stime');
  return ticks * MS_PER_TICK;
}
