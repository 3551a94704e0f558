import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processorMsOf } from './proxy/procfs.ts';

/** Processor time in ms since each process began; null where there is no such process. */
export interface ProcessorTimes {
  /** The whole browser, with what we add to it. */
  readonly allMs: number | null;
  readonly helperMs: number | null;
  readonly extensionMs: number | null;
}

/**
 * The helper is started with the word `host`; Chromium marks the renderers of extensions; Firefox names the process of
 * all extensions.
 */
const HELPER = /firstscreen-helper[^\0]*\0(.*\0)?host\0/;
const CHROMIUM_EXTENSION = '--extension-process';
/** The field after the name and the state. */
const PARENT = /\) \S (\d+) [^)]*$/;
const FIREFOX_EXTENSION = 'WebExtensions';

interface Process {
  readonly pid: string;
  readonly parent: string;
  readonly stat: string;
  readonly commandLine: string;
  /** Renderers have written over theirs: they are known by their parents. */
  readonly isMarked: boolean;
}

/** @param marker a text that is in the environment of this browser's processes, and of no others' */
export async function processorTimes(marker: string): Promise<ProcessorTimes> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = (await Promise.all(pids.map((pid) => processOf(pid, marker)))).filter((found) => found !== null);
  const byPid = new Map(all.map((process) => [process.pid, process]));
  const isOurs = (process: Process | undefined): boolean => process !== undefined && (process.isMarked || isOurs(byPid.get(process.parent)));
  const ours = all.filter(isOurs);
  const timeOf = (isWanted: (process: Process) => boolean) => sum(ours.filter(isWanted).map(({ stat }) => processorMsOf(stat)));
  return {
    allMs: timeOf(() => true),
    helperMs: timeOf(({ commandLine }) => HELPER.test(commandLine)),
    extensionMs: timeOf(({ commandLine, stat }) => commandLine.includes(CHROMIUM_EXTENSION) || stat.includes(`(${FIREFOX_EXTENSION})`)),
  };
}

/** Null when the process has ended meanwhile, or is another user's. */
async function processOf(pid: string, marker: string): Promise<Process | null> {
  try {
    const [stat, commandLine, environment] = await Promise.all(['stat', 'cmdline', 'environ'].map((name) => readFile(join('/proc', pid, name), 'utf8')));
    if (stat === undefined || commandLine === undefined || environment === undefined) return null;
    return { pid, parent: PARENT.exec(stat)?.[1] ?? '', stat, commandLine, isMarked: environment.includes(marker) };
  } catch {
    return null;
  }
}

function sum(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
}
