import { parseArgs } from 'node:util';
import { oneOf, optionError } from '../options.ts';

/** Where a driver runs. */
export const ENDS = ['none', 'client', 'both'] as const;
export type Ends = (typeof ENDS)[number];

export const MAX_SEED = 2 ** 31 - 1;

/** The values of `--NAME VALUE` for the names that there are; null: help is wanted. Pure. @throws FirstscreenError E_OPTION */
export function readArguments<Name extends string>(argv: readonly string[], names: readonly Name[]): Partial<Record<Name, string>> | null {
  const texts = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
  try {
    const { help, ...values } = parseArgs({ args: [...argv], options: { ...texts, help: { type: 'boolean', short: 'h' } } }).values;
    return help === true ? null : values;
  } catch (error) {
    throw optionError(error instanceof Error ? error.message : String(error), 'the same with --help lists the options');
  }
}

/** Words as in A,B,C, in the order of `known`, which are all without the option. @throws FirstscreenError E_OPTION */
export function choice<T extends string>(option: string, text: string | undefined, known: readonly T[]): T[] {
  const asked = text?.split(',').map((word) => oneOf(option, word.trim(), known)) ?? known;
  return known.filter((one) => asked.includes(one));
}

/** Probabilities as in A,B,C. @throws FirstscreenError E_OPTION */
export function probabilities(option: string, text: string): number[] {
  return text.split(',').map((word) => {
    const value = Number(word);
    if (word.trim() === '' || !(value >= 0 && value < 1)) throw optionError(`${option} "${word}" is no probability`, 'write numbers from 0 to below 1, as 0,0.01');
    return value;
  });
}

/** More options of the link, in words. */
export function words(text: string | undefined): string[] {
  return (text ?? '').split(/\s+/).filter((word) => word !== '');
}

const CONGESTION = /^[a-z0-9_]{1,15}$/;

/** Names of congestion controls; which there are the kernel says. @throws FirstscreenError E_OPTION */
export function congestionNames(text: string): string[] {
  return text.split(',').map((word) => {
    const name = word.trim();
    if (!CONGESTION.test(name)) throw optionError(`--congestion "${name}" is no name`, '/proc/sys/net/ipv4/tcp_available_congestion_control has those that there are');
    return name;
  });
}
