import type { Scheme } from './schemes.ts';

/** Which load it is. */
export interface LoadIdentity {
  readonly page: string;
  readonly run: number;
  /** 1, or 2 for the retry. */
  readonly attempt: number;
  readonly scheme: Scheme;
}

/**
 * The load, or one page of a journey, as a file name; `#` would end a URL.
 *
 * @param step page of a journey, from 0
 */
export function loadFileName({ run, scheme }: { readonly run: number; readonly scheme: Pick<Scheme, 'label'> }, step: number): string {
  return `${run}-${scheme.label.replace('#', '-')}${step === 0 ? '' : `-page-${step + 1}`}`;
}
