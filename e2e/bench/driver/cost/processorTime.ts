/** The first line of /proc/stat after its name: user, nice, system, idle, iowait, irq, softirq, ... (proc_stat(5)). */
const BUSY = [0, 1, 2, 5, 6];
/** USER_HZ, which is 100 wherever Linux runs today. */
const TICKS_PER_SECOND = 100;

/** Seconds that all processors were busy since the machine began, with the kernel's work for packets. Pure. @param stat /proc/stat */
export function busySeconds(stat: string): number {
  const ticks = (/^cpu +(.*)$/m.exec(stat)?.[1] ?? '').split(' ').map(Number);
  return BUSY.reduce((sum, place) => sum + (ticks[place] ?? Number.NaN), 0) / TICKS_PER_SECOND;
}
