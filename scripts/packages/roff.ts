import type { CommandLine, OptionRow } from './completions.ts';

/** As prose of a manual page: with a capital letter and a full stop. */
function sentence(text: string): string {
  return roff(`${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.)]$/.test(text) ? '' : '.'}`);
}

/** As roff takes it for text: hyphens that can be copied, and no line that begins with a request. */
export function roff(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/, '\\&$&');
}

/** The forms of a command line with what they do, as items of a list. */
export function commandItems(rows: readonly (readonly [form: string, meaning: string])[]): string {
  return rows.map(([form, meaning]) => `.TP\n.B ${roff(form)}\n${sentence(meaning)}`).join('\n');
}

/** The same of options. */
export function optionItems(rows: CommandLine['options']): string {
  return rows.map(([name, row]) => `.TP\n${optionHead(name, row)}\n${sentence(row.meaning)}${row.onlyFor === undefined ? '' : ` With ${roff(row.onlyFor.join(', '))}.`}`).join('\n');
}

function optionHead(name: string, { value, short }: OptionRow): string {
  const long = `\\-\\-${roff(name)}`;
  if (value !== undefined) return `.BI ${long} " ${roff(value)}"`;
  return short === undefined ? `.B ${long}` : `.BR ${long} ", " \\-${roff(short)}`;
}
