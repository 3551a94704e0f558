import http2, { type ClientSessionOptions, type SecureClientSessionOptions } from 'node:http2';
import { MAX_HEADER_BYTES } from '../http/rawHeaders.ts';

/** As many as fit into most heads. */
const MAX_HEADER_FIELDS = 2_000;

/**
 * By default Node loses an answer's fields whose values begin or end with a space, as of policies and cookies that are
 * put together by hand, without a word (RFC 9113, section 8.2.1, would have the answer refused), and takes no more than
 * 128 fields or 64 KiB of them. Browsers take all of that. undici opens sessions by `http2.connect`, and does not say
 * what they take; whoever does is heeded.
 */
const { connect } = http2;
Object.assign(http2, {
  connect: (authority: string | URL, options: ClientSessionOptions | SecureClientSessionOptions = {}, listener?: Parameters<typeof connect>[2]) =>
    connect(authority, {
      strictFieldWhitespaceValidation: false,
      maxHeaderListPairs: MAX_HEADER_FIELDS,
      ...options,
      settings: { maxHeaderListSize: MAX_HEADER_BYTES, ...options.settings },
    }, listener),
});
