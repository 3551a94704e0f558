import type { Scheme } from './schemes.ts';

/** Which load it is. */
export interface LoadIdentity {
  readonly page: string;
  readonly run: number;
  /** 1, or 2 for the retry. */
  readonly attempt: number;
  readonly scheme: Scheme;
}

/** The load as a file name; `#` would end a URL. */
export function loadFileName({ run, scheme }: { readonly run: number; readonly scheme: Pick<Scheme, 'label'> }): string {
  return `${run}-${scheme.label.replace('#', '-')}`;
}
