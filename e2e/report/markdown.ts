/** A table of Markdown (GitHub Flavored Markdown, 4.10), line by line. */
export function tableLines(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
}
