/** How often a program for packets ran since it was loaded, and how long in all; counted while kernel.bpf_stats_enabled is 1. */
export interface ProgramTime {
  readonly packets: number;
  readonly ns: number;
}

/**
 * What the files of a process tell of the program that it has on its interfaces by tcx: a link's file names the program, a program's its times. Pure.
 *
 * @param files texts of /proc/PID/fdinfo. @throws Error when there is no program: none is attached, or not by tcx
 */
export function programTime(files: readonly string[]): ProgramTime {
  const link = files.find((text) => field(text, 'link_type') === 'tcx');
  const id = link === undefined ? undefined : field(link, 'prog_id');
  const program = files.find((text) => field(text, 'prog_type') !== undefined && field(text, 'prog_id') === id);
  if (id === undefined || program === undefined) throw new Error('no program by tcx');
  return { packets: Number(field(program, 'run_cnt')), ns: Number(field(program, 'run_time_ns')) };
}

function field(text: string, name: string): string | undefined {
  return new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(text)?.[1];
}
