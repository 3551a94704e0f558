import { BenchError } from './errors.ts';

export const MAX_SEED = 2 ** 31 - 1;

/** @throws BenchError E_OPTION for a value that is none of `known` */
export function oneOf<T extends string>(option: string, value: string, known: readonly T[]): T {
  const found = known.find((candidate) => candidate === value);
  if (found === undefined) throw optionError(`${option} does not know "${value}"`, `use ${known.join(', ')}`);
  return found;
}

/** Words as in A,B,C, each once, in the order of `known`. @throws BenchError E_OPTION */
export function choice<T extends string>(option: string, text: string, known: readonly T[]): T[] {
  const asked = text.split(',').map((word) => oneOf(option, word.trim(), known));
  return known.filter((one) => asked.includes(one));
}

/** @throws BenchError E_OPTION */
export function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) throw optionError(`${option} ${text} is out of range`, `write a whole number from ${min} to ${max}`);
  return value;
}

/** @throws BenchError E_OPTION */
export function positiveNumber(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0) throw optionError(`${option} ${text} is no time`, 'write a number above 0');
  return value;
}

/** Probabilities as in A,B,C. @throws BenchError E_OPTION */
export function probabilities(option: string, text: string): number[] {
  return text.split(',').map((word) => {
    const value = Number(word);
    if (word.trim() === '' || !(value >= 0 && value < 1)) throw optionError(`${option} "${word}" is no probability`, 'write numbers from 0 to below 1, as 0,0.01');
    return value;
  });
}

/** @returns the values, each greater than the one before. @throws BenchError E_OPTION */
export function rising(option: string, values: number[]): number[] {
  if (values.some((value, place) => value <= (values[place - 1] ?? -Infinity))) throw optionError(`${option} ${values.join(',')} does not rise`, 'write numbers from the least to the greatest');
  return values;
}

/** Bytes as in A,B,C, where `default` is null: what the kernel does by itself. @throws BenchError E_OPTION */
export function receiveBuffers(option: string, text: string): (number | null)[] {
  return text.split(',').map((bytes) => (bytes === 'default' ? null : wholeNumber(option, bytes, 4_096, 1_000_000_000)));
}

/** The link says which names there are; here it is only kept from being taken for an option. @throws BenchError E_OPTION */
export function profileName(text: string): string {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(text)) throw optionError(`--profile "${text}" is no name`, 'build/bin/firstscreen-link --list-profiles has them');
  return text;
}

const CONGESTION = /^[a-z0-9_]{1,15}$/;

/** Name of a congestion control; which there are the kernel says. @throws BenchError E_OPTION */
export function congestionName(text: string): string {
  const name = text.trim();
  if (!CONGESTION.test(name)) throw optionError(`--congestion "${name}" is no name`, '/proc/sys/net/ipv4/tcp_available_congestion_control has those that there are');
  return name;
}

export function optionError(message: string, next: string): BenchError {
  return new BenchError('E_OPTION', `Reading the options of the benchmark: ${message}.`, next);
}
