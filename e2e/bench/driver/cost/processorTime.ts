import { setTimeout as sleep } from 'node:timers/promises';

/** The first line of /proc/stat after its name: user, nice, system, idle, iowait, irq, softirq, ... (proc_stat(5)). */
const BUSY = [0, 1, 2, 5, 6];
/** USER_HZ, which is 100 wherever Linux runs today. */
const TICKS_PER_SECOND = 100;

/** Seconds that all processors were busy since the machine began, with the kernel's work for packets. Pure. @param stat /proc/stat */
export function busySeconds(stat: string): number {
  const ticks = (/^cpu +(.*)$/m.exec(stat)?.[1] ?? '').split(' ').map(Number);
  return BUSY.reduce((sum, place) => sum + (ticks[place] ?? Number.NaN), 0) / TICKS_PER_SECOND;
}

/** What work gives, and how long the machine was busy from the end of its warm-up on: of what it moves before that nothing is counted either. @param readStat /proc/stat */
export async function busyAfterWarmUp<T>(work: Promise<T>, warmUpMs: number, readStat: () => Promise<string>): Promise<{ readonly result: T; readonly processorSeconds: number }> {
  await Promise.race([sleep(warmUpMs, undefined, { ref: false }), work]);
  const before = busySeconds(await readStat());
  const result = await work;
  return { result, processorSeconds: busySeconds(await readStat()) - before };
}
