import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processorMsOf } from './proxy/procfs.ts';

/** Processor time of what we add to a browser, in ms since each process began; null where there is no such process. */
export interface ProcessorTimes {
  readonly helperMs: number | null;
  readonly extensionMs: number | null;
}

/**
 * The helper is started with the word `host`; Chromium marks the renderers of extensions; Firefox names the process of
 * all extensions.
 */
const HELPER = /firstscreen-helper[^\0]*\0(.*\0)?host\0/;
const CHROMIUM_EXTENSION = '--extension-process';
const FIREFOX_EXTENSION = 'WebExtensions';

/** @param marker a text that is in the environment of this browser's processes, and of no others' */
export async function processorTimes(marker: string): Promise<ProcessorTimes> {
  const times = { helper: [] as number[], extension: [] as number[] };
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const directory = join('/proc', pid);
    try {
      if (!(await readFile(join(directory, 'environ'), 'utf8')).includes(marker)) continue;
      const [commandLine, stat] = await Promise.all([readFile(join(directory, 'cmdline'), 'utf8'), readFile(join(directory, 'stat'), 'utf8')]);
      if (HELPER.test(commandLine)) times.helper.push(processorMsOf(stat));
      else if (commandLine.includes(CHROMIUM_EXTENSION) || stat.includes(`(${FIREFOX_EXTENSION})`)) times.extension.push(processorMsOf(stat));
    } catch {
      // It has ended meanwhile, or is another user's.
    }
  }
  return { helperMs: sum(times.helper), extensionMs: sum(times.extension) };
}

function sum(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
}
