import { readFileSync, readdirSync } from 'node:fs';

/** Name that Firefox gives to the process of all extensions. */
const EXTENSION_PROCESS = 'WebExtensions';

/** The process in which a Firefox runs its extensions; Linux only. */
export function extensionProcessOf(firefoxPid: number): number {
  const found = descendantsOf(firefoxPid).find((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === EXTENSION_PROCESS);
  if (found === undefined) throw new Error(`Firefox ${firefoxPid} has no process named ${EXTENSION_PROCESS}`);
  return found;
}

function descendantsOf(parent: number): number[] {
  const children = readdirSync('/proc').map(Number).filter((pid) => Number.isInteger(pid) && parentOf(pid) === parent);
  return children.flatMap((pid) => [pid, ...descendantsOf(pid)]);
}

/** @returns null when the process has ended meanwhile */
function parentOf(pid: number): number | null {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return null;
  }
}
