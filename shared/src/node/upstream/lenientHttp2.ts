import http2, { type ClientSessionOptions, type IncomingHttpHeaders, type SecureClientSessionOptions } from 'node:http2';
import { MAX_HEADER_BYTES, groupedFields } from '../http/rawHeaders.ts';

/** As many as fit into most heads. */
const MAX_HEADER_FIELDS = 2_000;

/**
 * By default Node loses an answer's fields whose values begin or end with a space, as of policies and cookies that are
 * put together by hand, without a word (RFC 9113, section 8.2.1, would have the answer refused), and takes no more than
 * 128 fields or 64 KiB of them. What comes several times it joins, or gives the first of. Browsers take all of that, each
 * as it came: the first Strict-Transport-Security, but none that is joined (RFC 6797, section 8.1), and of challenges, one
 * a field, the one that they know. undici opens sessions by `http2.connect`, and does not say what they take; whoever does
 * is heeded.
 */
const { connect } = http2;
Object.assign(http2, {
  connect: (authority: string | URL, options: ClientSessionOptions | SecureClientSessionOptions = {}, listener?: Parameters<typeof connect>[2]) => {
    const session = connect(authority, {
      strictFieldWhitespaceValidation: false,
      maxHeaderListPairs: MAX_HEADER_FIELDS,
      ...options,
      settings: { maxHeaderListSize: MAX_HEADER_BYTES, ...options.settings },
    }, listener);
    const request = session.request.bind(session);
    // before any other listener of the stream
    session.request = (...asked) => request(...asked).on('response', keepApart).on('headers', keepApart).on('trailers', keepApart);
    return session;
  },
});

/** @param fields as Node has put them together, for all that listen @param raw as they have come */
function keepApart(fields: IncomingHttpHeaders, _flags: number, raw: readonly string[]): void {
  for (const [name, values] of Object.entries(groupedFields(raw))) if (values.length > 1) fields[name] = values;
}
