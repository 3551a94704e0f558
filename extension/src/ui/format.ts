import { language } from './texts.ts';

/** Numbers as the reader's language writes them. */
type Unit = 'millisecond' | 'second' | 'byte' | 'kilobyte' | 'megabyte' | 'kilobit-per-second' | 'megabit-per-second' | 'percent';

const formatters = new Map<string, Intl.NumberFormat>();

/** Symbols of SI, where English has words for short ("sec", "byte"). */
const SYMBOLS: Readonly<Partial<Record<Unit, string>>> = { second: 's', byte: 'B' };

function format(value: number, unit: Unit, digits: number): string {
  const key = `${unit} ${digits}`;
  const symbol = SYMBOLS[unit];
  const style: Intl.NumberFormatOptions = symbol === undefined ? { style: 'unit', unit, unitDisplay: 'short' } : {};
  const formatter = formatters.get(key) ?? new Intl.NumberFormat(language(), { ...style, minimumFractionDigits: digits, maximumFractionDigits: digits });
  formatters.set(key, formatter);
  const text = formatter.format(value);
  return symbol === undefined ? text : `${text} ${symbol}`;
}

const NONE = '–';
/** What is rounded to 1,000 of a unit is told in the next one. */
const NEXT_UNIT = 999.5;

export function formatMs(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms)) return NONE;
  if (Math.abs(ms) < NEXT_UNIT) return format(ms, 'millisecond', 0);
  return format(ms / 1_000, 'second', Math.abs(ms) < 10_000 ? 2 : 1);
}

export function formatBytes(bytes: number | null): string {
  if (bytes === null) return NONE;
  if (bytes < 1_000) return format(bytes, 'byte', 0);
  return bytes / 1_000 < NEXT_UNIT ? format(bytes / 1_000, 'kilobyte', bytes < 10_000 ? 1 : 0) : format(bytes / 1e6, 'megabyte', 1);
}

export function formatRate(bitsPerSecond: number | null): string {
  if (bitsPerSecond === null) return NONE;
  return bitsPerSecond / 1_000 < NEXT_UNIT ? format(bitsPerSecond / 1_000, 'kilobit-per-second', 0) : format(bitsPerSecond / 1e6, 'megabit-per-second', 1);
}

export function formatPercent(fraction: number): string {
  return format(100 * fraction, 'percent', 0);
}

export function formatPixels(pixels: number): string {
  return Math.round(pixels).toLocaleString(language());
}
