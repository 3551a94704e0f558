import { readFileSync, readdirSync } from 'node:fs';

/** Name that Firefox gives to the process of all extensions. */
const EXTENSION_PROCESS = 'WebExtensions';

/** The process in which a Firefox runs its extensions; Linux only. */
export function extensionProcessOf(firefoxPid: number): number {
  const found = descendantsOf(firefoxPid).find((pid) => statusOf(pid, 'Name') === EXTENSION_PROCESS);
  if (found === undefined) throw new Error(`Firefox ${firefoxPid} has no process named ${EXTENSION_PROCESS}`);
  return found;
}

function descendantsOf(parent: number): number[] {
  const children = readdirSync('/proc').map(Number).filter((pid) => Number.isInteger(pid) && Number(statusOf(pid, 'PPid')) === parent);
  return children.flatMap((pid) => [pid, ...descendantsOf(pid)]);
}

/** @returns null when the process has ended meanwhile */
function statusOf(pid: number, field: 'Name' | 'PPid'): string | null {
  try {
    return new RegExp(`^${field}:\\s+(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}
