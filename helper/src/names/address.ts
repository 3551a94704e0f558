/** One address of a host. */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** What is known of a host's addresses, and until when. */
export interface AddressAnswer {
  readonly addresses: readonly Address[];
  /** Seconds, from the DNS (RFC 1035, section 3.2.1). */
  readonly ttlSeconds: number;
}
