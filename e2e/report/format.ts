const BYTES_PER_KB = 1_000;
const BYTES_PER_MB = 1_000_000;

/** Missing values are shown as a dash. */
const NONE = '–';

export function formatRatio(value: number | null | undefined, digits = 2): string {
  return value === null || value === undefined || !Number.isFinite(value) ? NONE : value.toFixed(digits);
}

export function formatInterval(low: number | null | undefined, high: number | null | undefined): string {
  return `${formatRatio(low)} to ${formatRatio(high)}`;
}

export function formatMs(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return NONE;
  return ms < 10_000 ? `${(ms / 1_000).toFixed(2)} s` : `${(ms / 1_000).toFixed(1)} s`;
}

/** Three shares of ISRT in seconds: needed+waste+idle. */
export function formatShares({ neededMs, wasteMs, idleMs }: { readonly neededMs: number; readonly wasteMs: number; readonly idleMs: number }): string {
  if (!Number.isFinite(neededMs)) return NONE;
  return [neededMs, wasteMs, idleMs].map((ms) => (ms / 1_000).toFixed(2)).join('+');
}

export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined || !Number.isFinite(bytes)) return NONE;
  if (bytes >= BYTES_PER_MB) return `${(bytes / BYTES_PER_MB).toFixed(2)} MB`;
  return bytes >= BYTES_PER_KB ? `${Math.round(bytes / BYTES_PER_KB)} kB` : `${Math.round(bytes)} B`;
}

export function formatRate(bitsPerSecond: number | null | undefined): string {
  if (bitsPerSecond === null || bitsPerSecond === undefined || !Number.isFinite(bitsPerSecond)) return NONE;
  return bitsPerSecond >= 1e6 ? `${(bitsPerSecond / 1e6).toFixed(2)} Mbit/s` : `${(bitsPerSecond / 1e3).toFixed(1)} kbit/s`;
}

export function formatPercent(fraction: number | null | undefined): string {
  if (fraction === null || fraction === undefined || !Number.isFinite(fraction)) return NONE;
  return `${(fraction * 100).toFixed(fraction !== 0 && fraction < 0.1 ? 1 : 0)} %`;
}

/** As places in drawings are written. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
