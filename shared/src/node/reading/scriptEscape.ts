const MARKS = /<!--|-->|<script(?=[\s/>])/gi;
/** A mark that a cut has divided, with the character after it. */
const MAX_MARK_CHARS = '<script>'.length;

/**
 * Whether a script is at a place where `</script>` does not end it: after `<!--` and then `<script`, without `-->`
 * between or behind (HTML, section 13.2.5.20, "script data double escaped"). htmlparser2's tokenizer has no such state.
 */
export class ScriptEscape {
  state: 'none' | 'escaped' | 'double' = 'none';
  private rest = '';

  /** The next characters of the script. */
  write(text: string): void {
    this.rest += text;
    let readTo = 0;
    MARKS.lastIndex = 0;
    for (let match = MARKS.exec(this.rest); match !== null; match = MARKS.exec(this.rest)) {
      const [mark] = match;
      if (mark === '-->') this.state = 'none';
      else if (mark === '<!--') {
        if (this.state === 'none') this.state = 'escaped';
        // `<!-->` ends what it begins
        MARKS.lastIndex -= '--'.length;
      } else if (this.state === 'escaped') this.state = 'double';
      readTo = MARKS.lastIndex;
    }
    this.rest = this.rest.slice(Math.max(readTo, this.rest.length - MAX_MARK_CHARS));
  }
}
