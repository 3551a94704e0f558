const MS_PER_SECOND = 1_000;
const BYTES_PER_MB = 1_000_000;
const MS_PER_MINUTE = 60_000;
const MINUTES_PER_HOUR = 60;
const HOURS_PER_DAY = 24;

/** Numbers as the reader writes them. */
export class Numbers {
  private readonly language: string;

  /** @param language as the browser names it */
  constructor(language: string) {
    this.language = language;
  }

  seconds(ms: number, digits = ms < MS_PER_SECOND ? 2 : 1): string {
    return `${this.plain(ms / MS_PER_SECOND, digits)} s`;
  }

  percent(share: number): string {
    return new Intl.NumberFormat(this.language, { style: 'percent', maximumFractionDigits: 0 }).format(share);
  }

  megabytes(bytes: number): string {
    return new Intl.NumberFormat(this.language, { style: 'unit', unit: 'megabyte', minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(bytes / BYTES_PER_MB);
  }

  /** How long ago something was, in whole minutes, hours or days. */
  ago(ms: number): string {
    const minutes = Math.max(0, Math.floor(ms / MS_PER_MINUTE));
    const hours = Math.floor(minutes / MINUTES_PER_HOUR);
    if (hours < 1) return this.relative(minutes, 'minute');
    return hours < HOURS_PER_DAY ? this.relative(hours, 'hour') : this.daysAgo(Math.floor(hours / HOURS_PER_DAY));
  }

  daysAgo(days: number): string {
    return this.relative(days, 'day');
  }

  plain(value: number, digits = 0): string {
    return new Intl.NumberFormat(this.language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
  }

  private relative(count: number, unit: Intl.RelativeTimeFormatUnit): string {
    return new Intl.RelativeTimeFormat(this.language, { numeric: 'auto' }).format(-count, unit);
  }
}
