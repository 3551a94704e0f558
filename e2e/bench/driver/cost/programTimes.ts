/** How often a program for packets ran since it was loaded, and how long in all; counted while kernel.bpf_stats_enabled is 1. */
export interface ProgramTime {
  readonly packets: number;
  readonly ns: number;
}

export const HOOKS = ['egress', 'ingress'] as const;
export type Hook = (typeof HOOKS)[number];

/**
 * What the files of a process tell of the programs that it has on its interfaces by tcx: a link's file names hook and program, a program's its times. Pure.
 *
 * @param files texts of /proc/PID/fdinfo. @throws Error when there is no program at a hook: none is attached, or not by tcx
 */
export function programTimes(files: readonly string[]): Record<Hook, ProgramTime> {
  const links = files.filter((text) => field(text, 'link_type') === 'tcx');
  const of = (hook: Hook): ProgramTime => {
    const link = links.find((text) => field(text, 'attach_type')?.includes(`(${hook})`));
    const id = link === undefined ? undefined : field(link, 'prog_id');
    const program = files.find((text) => field(text, 'prog_type') !== undefined && field(text, 'prog_id') === id);
    if (id === undefined || program === undefined) throw new Error(`no program at ${hook} by tcx`);
    return { packets: Number(field(program, 'run_cnt')), ns: Number(field(program, 'run_time_ns')) };
  };
  return { egress: of('egress'), ingress: of('ingress') };
}

function field(text: string, name: string): string | undefined {
  return new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(text)?.[1];
}
