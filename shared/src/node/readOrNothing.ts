import { readFileSync } from 'node:fs';

/** A file's text; empty when there is none, or none that can be read. */
export function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
