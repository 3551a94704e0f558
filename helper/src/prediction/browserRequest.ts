import { valueOf, type RawHeaders } from '../http/rawHeaders.ts';
import { originOf } from '../../../shared/src/page/origin.ts';
import type { ResponseSink } from '../upstream/fetch.ts';

/**
 * Whose cache a request is for: a document its own, an object that of who asks, the document or the style sheet (a
 * browser does not say for which document).
 */
export function partitionOf(url: string, headers: RawHeaders): string {
  const referer = valueOf(headers, 'referer');
  return isDocument(headers) || referer === null || !URL.canParse(referer) ? originOf(url) : originOf(referer);
}

/** Browsers ask so for documents of windows and frames only (Upgrade Insecure Requests, section 3.2.1). */
export function isDocument(headers: RawHeaders): boolean {
  return valueOf(headers, 'upgrade-insecure-requests') === '1' && /^text\/html\b/.test(valueOf(headers, 'accept') ?? '');
}

/** A sink that passes everything on, to change one of its methods. */
export function passing(sink: ResponseSink): ResponseSink {
  return {
    informed: (status, headers) => sink.informed(status, headers),
    started: (status, statusText, headers) => sink.started(status, statusText, headers),
    data: (chunk) => sink.data(chunk),
    ended: (trailers) => sink.ended(trailers),
    failed: (error, wasSent) => sink.failed(error, wasSent),
  };
}
