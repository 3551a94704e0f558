import { COMMAND_ROWS, OPTION_ROWS } from './commandTable.ts';

const COLUMNS = 100;
const GAP = 3;

/** What `--help` says. */
export const HELP = `firstscreen-helper: the local part of Firstscreen, started by the browser

Usage: firstscreen-helper COMMAND [options]

${listText(COMMAND_ROWS)}

${listText(OPTION_ROWS.map(([name, { value, meaning }]) => [`--${name}${value === undefined ? '' : ` ${value}`}`, meaning]))}
`;

/** Two columns, the second one wrapped. */
function listText(rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + GAP;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${wrapped(right, COLUMNS - width - 2).join(`\n${' '.repeat(width + 2)}`)}`).join('\n');
}

/** @returns lines; a word that is longer than one has a line of its own */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
