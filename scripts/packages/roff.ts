/** As prose of a manual page: with a capital letter and a full stop. */
export function sentence(text: string): string {
  return roff(`${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.)]$/.test(text) ? '' : '.'}`);
}

/** As roff takes it for text: hyphens that can be copied, and no line that begins with a request. */
export function roff(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/, '\\&$&');
}
