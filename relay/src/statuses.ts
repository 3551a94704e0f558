import type { ErrorCode } from '../../shared/src/errors.ts';

/** Of the relay's own answers, by their codes (docs/relay.md). */
export const STATUS_OF: Partial<Readonly<Record<ErrorCode, number>>> = {
  E_ADDRESS: 403, E_NAME: 502, E_CONNECT: 502, E_UPSTREAM_TLS: 502, E_CLIENT_CERTIFICATE: 502, E_RELAY_LIMIT: 429, E_RELAY_UNSUPPORTED: 501, E_PROXY_TARGET: 400, E_MESSAGE_SCHEMA: 400,
};
