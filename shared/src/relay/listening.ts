/** How the relay's connections are meant to be, whoever sets it: a launcher, or the sysctls of a network namespace (docs/relay.md). */

/** What a connection may hold unsent: what the queue has let go can not be taken back. */
export const TCP_NOTSENT_LOWAT_BYTES = 16_384;

/** Congestion control of the kernel: the relay is the sender at a lossy link. */
export const CONGESTION_CONTROL = 'bbr';
