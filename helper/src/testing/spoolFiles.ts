import { readdirSync, readlinkSync } from 'node:fs';

const DESCRIPTORS = '/proc/self/fd';

/** The files of spools that this process has open below a directory: they have no names, but their descriptors can be opened. */
export function spoolFiles(directory: string): string[] {
  return readdirSync(DESCRIPTORS).map((fd) => `${DESCRIPTORS}/${fd}`).filter((link) => targetOf(link).startsWith(directory));
}

/** Empty for what was closed meanwhile. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}
