/** Text that is markup already. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Markup | null | readonly (string | Markup)[];

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Tagged template for HTML and SVG: whatever is put in is escaped, unless it is Markup. URLs of recorded pages are foreign text. */
export function markup(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(strings.reduce((text, part, place) => text + render(values[place - 1] ?? '') + part));
}

function render(value: Value): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object' && value !== null) return value.map(render).join('');
  return String(value ?? '').replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
