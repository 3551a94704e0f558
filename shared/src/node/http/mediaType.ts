import { valueOf, valuesOf, type RawHeaders } from './rawHeaders.ts';

/** JavaScript MIME types (MIME Sniffing, section 4.6). */
export const JAVASCRIPT = /^(?:application|text)\/(?:x-)?(?:ecmascript|javascript)$|^text\/(?:javascript1\.[0-5]|jscript|livescript)$/;

/** Of an answer, in lower case and without parameters (RFC 9110, section 8.3); empty where none is said, or several. */
export function mediaTypeOf(answer: RawHeaders): string {
  return (valueOf(answer, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Whether an answer is to be kept as a file, and not shown: of any type but `inline` (RFC 6266, section 4.2). Browsers show what says a name without a type. */
export function isAttachment(answer: RawHeaders): boolean {
  return valuesOf(answer, 'content-disposition').some((value) => /^\s*(?:attachment\b|(?!inline\b)[^\s;=]+\s*(?:;|$))/i.test(value));
}
