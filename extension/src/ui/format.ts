import { language } from './texts.ts';

/** Numbers as the reader's language writes them. */
type Unit = 'millisecond' | 'second' | 'byte' | 'kilobyte' | 'megabyte' | 'kilobit-per-second' | 'megabit-per-second' | 'percent';

const formatters = new Map<string, Intl.NumberFormat>();

/** Symbols of SI, where English has words for short ("sec", "byte"). */
const SYMBOLS: Readonly<Partial<Record<Unit, string>>> = { second: 's', byte: 'B' };

function format(value: number, unit: Unit, digits: number): string {
  const symbol = SYMBOLS[unit];
  return symbol === undefined ? formatNumber(value, digits, unit) : `${formatNumber(value, digits)} ${symbol}`;
}

export function formatNumber(value: number, digits = 0, unit?: Unit): string {
  const key = `${unit ?? ''} ${digits}`;
  const style: Intl.NumberFormatOptions = unit === undefined ? {} : { style: 'unit', unit, unitDisplay: 'short' };
  const formatter = formatters.get(key) ?? new Intl.NumberFormat(language(), { ...style, minimumFractionDigits: digits, maximumFractionDigits: digits });
  formatters.set(key, formatter);
  return formatter.format(value);
}

const NONE = '–';
/** What is rounded to 1,000 of a unit is told in the next one. */
const NEXT_UNIT = 999.5;
const MS_PER_MINUTE = 60_000;
const MINUTES_PER_HOUR = 60;
const HOURS_PER_DAY = 24;

export function formatMs(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms)) return NONE;
  if (Math.abs(ms) < NEXT_UNIT) return format(ms, 'millisecond', 0);
  return format(ms / 1_000, 'second', Math.abs(ms) < 10_000 ? 2 : 1);
}

/** Of what takes a person's time, in seconds also where they are few. */
export function formatSeconds(ms: number, digits = ms < 1_000 ? 2 : 1): string {
  return format(ms / 1_000, 'second', digits);
}

export function formatBytes(bytes: number | null): string {
  if (bytes === null) return NONE;
  if (bytes < 1_000) return format(bytes, 'byte', 0);
  return bytes / 1_000 < NEXT_UNIT ? format(bytes / 1_000, 'kilobyte', bytes < 10_000 ? 1 : 0) : formatMegabytes(bytes);
}

export function formatMegabytes(bytes: number): string {
  return format(bytes / 1e6, 'megabyte', 1);
}

export function formatRate(bitsPerSecond: number | null): string {
  if (bitsPerSecond === null) return NONE;
  return bitsPerSecond / 1_000 < NEXT_UNIT ? format(bitsPerSecond / 1_000, 'kilobit-per-second', 0) : format(bitsPerSecond / 1e6, 'megabit-per-second', 1);
}

export function formatPercent(fraction: number): string {
  return format(100 * fraction, 'percent', 0);
}

/** How long ago something was, in whole minutes, hours or days. */
export function formatAgo(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MS_PER_MINUTE));
  const hours = Math.floor(minutes / MINUTES_PER_HOUR);
  if (hours < 1) return relative(minutes, 'minute');
  return hours < HOURS_PER_DAY ? relative(hours, 'hour') : formatDaysAgo(Math.floor(hours / HOURS_PER_DAY));
}

export function formatDaysAgo(days: number): string {
  return relative(days, 'day');
}

function relative(count: number, unit: Intl.RelativeTimeFormatUnit): string {
  return new Intl.RelativeTimeFormat(language(), { numeric: 'auto' }).format(-count, unit);
}
