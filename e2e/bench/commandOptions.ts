import { parseArgs } from 'node:util';
import { choice, congestionName, MAX_SEED, oneOf, optionError, positiveNumber, probabilities, profileName, wholeNumber } from './optionValues.ts';

/** An option of a command, with its part of the help. */
export interface Option<Value> {
  /** As help has it, without the dashes, as in `rounds N`; of a switch the name alone. */
  readonly spelling: string;
  readonly about: string;
  /** Whether words that stand alone are of it. */
  readonly takesAlone?: true;
  /** @param texts what was given, each time. @throws BenchError E_OPTION */
  readonly read: (texts: readonly string[]) => Value;
}

/** By the names of their values. */
type Table = Readonly<Record<string, Option<unknown>>>;

/** The values of a table's options, and the directory of the results. */
export type OptionsOf<T extends Table> = { readonly [Key in keyof T]: ReturnType<T[Key]['read']> } & { readonly out: string };

/** What a command takes. */
export interface CommandOptions<Values> {
  readonly usage: string;
  /** The command line as values; null: help is wanted. Pure. @throws BenchError E_OPTION */
  readonly parse: (argv: readonly string[], defaultOut: string) => Values | null;
}

/** @param command as npm runs it. @param about what it does, and what it needs */
export function commandOptions<T extends Table>(command: string, about: string, table: T): CommandOptions<OptionsOf<T>> {
  return {
    usage: usageOf(command, about, Object.values(table)),
    parse(argv, defaultOut) {
      const texts = textsOf(argv, Object.values(table));
      if (texts === null) return null;
      const values = Object.entries(table).map(([key, { spelling, read }]) => [key, read(texts.get(nameOf(spelling)) ?? [])] as const);
      return { ...Object.fromEntries(values), out: texts.get('out')?.at(-1) ?? defaultOut } as unknown as OptionsOf<T>;
    },
  };
}

export const QUICK = flag('quick', 'less of everything, to see that it runs; other options still count');

/** The same for a command with the switch `quick`, which puts other values in the place of the usual ones. */
export function withQuick<Usual, T extends Table>(command: string, about: string, full: Usual, less: Usual, table: (usual: Usual) => T): CommandOptions<OptionsOf<T>> {
  const [usually, quickly] = [commandOptions(command, about, table(full)), commandOptions(command, about, table(less))];
  return { usage: usually.usage, parse: (argv, defaultOut) => (argv.includes('--quick') ? quickly : usually).parse(argv, defaultOut) };
}

/** @param usual what counts where the option is not given, as it would be written. @param inWords the same in help */
export function option<Value>(spelling: string, about: string, usual: string, read: (text: string, option: string) => Value, inWords = usual): Option<Value> {
  return { spelling, about: `${about} (default ${inWords})`, read: (texts) => read(texts.at(-1) ?? usual, `--${nameOf(spelling)}`) };
}

/** An option whose value is null where it is not given. */
export function optional<Value>(spelling: string, about: string, read: (text: string, option: string) => Value): Option<Value | null> {
  return {
    spelling, about,
    read(texts) {
      const text = texts.at(-1);
      return text === undefined ? null : read(text, `--${nameOf(spelling)}`);
    },
  };
}

export function flag(name: string, about: string): Option<boolean> {
  return { spelling: name, about, read: (texts) => texts.length > 0 };
}

export function whole(spelling: string, about: string, usual: number, min: number, max: number): Option<number> {
  return option(spelling, about, String(usual), (text, name) => wholeNumber(name, text, min, max));
}

export function oneChoice<T extends string>(spelling: string, about: string, usual: T, known: readonly T[]): Option<T> {
  return option(spelling, `${about}: ${known.join(', ')}`, usual, (text, name) => oneOf(name, text, known));
}

/** Some of `known`; all of them where the option is not given. */
export function choices<T extends string>(spelling: string, about: string, known: readonly T[]): Option<T[]> {
  return option(spelling, about, known.join(','), (text, name) => choice(name, text, known), 'all');
}

export function profile(usual: string): Option<string> {
  return option('profile NAME', 'the link, by its name (build/bin/firstscreen-link --list-profiles), or its numbers, as 800kbit-150ms (rate both ways, round trip, no loss); -loss5 after it: 5 % of packets are lost, -burst5: as many, in fades', usual, profileName);
}

/** Pages of a benchmark. */
export const PAGES: Option<readonly string[]> = { spelling: 'pages PATH...', about: 'WARC files (.warc, .warc.gz) or directories of them, at any depth', takesAlone: true, read: (texts) => texts };

export const MAX_LATE: Option<number | null> = optional(
  'max-late MS', "keeps loads whose link was late by up to this, p99 (default: 5 % of the round trip, at least 5 ms); above it the numbers are the machine's too", (text, name) => positiveNumber(name, text),
);

/** More options of the link, in words. */
export const LINK: Option<string[]> = option('link="OPTIONS"', 'more for the link, as "--queue 50p"', '', (text) => text.split(/\s+/).filter((word) => word !== ''), 'none');

export function losses(usual: string): Option<number[]> {
  return option('losses A,B', 'of the link, each way', usual, (text, name) => probabilities(name, text));
}

export function congestion(usual: string, about = 'congestion controls of the server, one after the other'): Option<string[]> {
  return option('congestion A,B', about, usual, (text) => text.split(',').map(congestionName));
}

export function rounds(usual: number): Option<number> {
  return whole('rounds N', 'what is compared takes turns', usual, 1, 10_000);
}

export function parallel(usual: number): Option<number> {
  return whole('parallel N', 'links at once', usual, 1, 64);
}

export function seed(about: string): Option<number> {
  return whole('seed N', about, 1, 0, MAX_SEED);
}

function nameOf(spelling: string): string {
  return spelling.split(/[ =]/, 1)[0] ?? '';
}

function textsOf(argv: readonly string[], options: readonly Option<unknown>[]): ReadonlyMap<string, readonly string[]> | null {
  const own = options.map(({ spelling }) => [nameOf(spelling), { type: nameOf(spelling) === spelling ? 'boolean' : 'string', multiple: true }] as const);
  const ofAlone = options.find(({ takesAlone }) => takesAlone);
  try {
    const known = { ...Object.fromEntries(own), out: { type: 'string', multiple: true }, help: { type: 'boolean', short: 'h' } } as const;
    const { values, positionals } = parseArgs({ args: [...argv], allowPositionals: ofAlone !== undefined, options: known });
    if (values['help'] === true) return null;
    const texts = new Map(Object.entries(values).map(([name, given]) => [name, [given].flat().map(String)] as const));
    return ofAlone === undefined ? texts : texts.set(nameOf(ofAlone.spelling), [...(texts.get(nameOf(ofAlone.spelling)) ?? []), ...positionals]);
  } catch (error) {
    throw optionError(error instanceof Error ? error.message : String(error), 'the same with --help lists the options');
  }
}

const WIDTH = 100;
const INDENT = ' '.repeat(24);

function usageOf(command: string, about: string, options: readonly Option<unknown>[]): string {
  const all = [...options, { spelling: 'out DIR', about: `where results.json and what is made of it go (default out/${command.replace('bench:', '').replace(/\W+/g, '-')}-<time>)` }];
  const help = all.flatMap(({ spelling, about: of }) => {
    const [first = '', ...more] = wrapped(of, WIDTH - INDENT.length);
    return [`  --${spelling} `.padEnd(INDENT.length) + first, ...more.map((line) => INDENT + line)];
  });
  return [`Usage: npm run ${command} [options]`, ...wrapped(about, WIDTH), '', ...help, ''].join('\n');
}

function wrapped(text: string, width: number): string[] {
  return (text.match(new RegExp(`.{1,${width}}(?: |$)`, 'g')) ?? []).map((line) => line.trimEnd());
}
