/**
 * Structured log entries. Where they go, and when they happened, is the sink's business; that no secret gets out is the sink's duty (see redactUrls).
 */

/** Least to most severe. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

export interface LogEntry {
  readonly level: LogLevel;
  /** The part of the program that speaks, as in `host` or `cli`. */
  readonly scope: string;
  readonly message: string;
  readonly fields?: LogFields;
}

export type LogSink = (entry: LogEntry) => void;

const USER_INFO = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]*@/gi;
const QUERY = /\?[^\s<>]+/g;
const FRAGMENT_OF_URL = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s#<>]*)#[^\s<>]*/gi;

/**
 * Removes what URLs carry beyond their place: credentials, queries, fragments. Takes too much rather than too little: a query ends at white space only,
 * and one without a URL before it goes too.
 */
export function redactUrls(text: string): string {
  return text.replace(USER_INFO, '$1').replace(QUERY, '?…').replace(FRAGMENT_OF_URL, '$1#…');
}
