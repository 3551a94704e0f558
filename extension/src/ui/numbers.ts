const MS_PER_SECOND = 1_000;
const BYTES_PER_MB = 1_000_000;

/** Numbers as the reader writes them. */
export class Numbers {
  private readonly language: string;

  /** @param language as the browser names it */
  constructor(language: string) {
    this.language = language;
  }

  seconds(ms: number): string {
    return `${this.plain(ms / MS_PER_SECOND, ms < MS_PER_SECOND ? 2 : 1)} s`;
  }

  percent(share: number): string {
    return new Intl.NumberFormat(this.language, { style: 'percent', maximumFractionDigits: 0 }).format(share);
  }

  megabytes(bytes: number): string {
    return `${this.plain(bytes / BYTES_PER_MB, 1)} MB`;
  }

  plain(value: number, digits = 0): string {
    return new Intl.NumberFormat(this.language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
  }
}
