/**
 * What one side may take up of the relay. Known clients are the owner's own machines: these limits keep a defect of one of them from the others, and whoever finds the port from both.
 */
export interface CarrierLimits {
  /** Connections that have not shown who they are. */
  readonly handshakes: number;
  readonly handshakeMs: number;
  /** Carriers of one client: one for each browser profile that runs at a time, which all have the machine's key; more are left over from networks that it has left. With too few each that is ended comes again, and ends the next. */
  readonly carriersOfClient: number;
  /** Streams of a carrier at a time. */
  readonly streams: number;
  /** Tunnels of one client, over all its carriers. A browser has 256 connections at most. */
  readonly tunnelsOfClient: number;
  /** Streams that one client opens in a second, over all its carriers, and at once: pages of many tabs come together when a browser starts. */
  readonly openingsPerSecond: number;
  readonly openingsAtOnce: number;
  /** Of one client's tunnels, in both directions: with more of them no tunnel is opened. Streams alone may have twice that. */
  readonly keptBytesOfClient: number;
  /** Of a request, names and values (RFC 9113, section 6.5.2). */
  readonly headerBytes: number;
  readonly headerFields: number;
  /** A helper sends PING each 10 s: one that was silent for so long is gone. */
  readonly silenceMs: number;
}

export const CARRIER_LIMITS: CarrierLimits = {
  handshakes: 64,
  handshakeMs: 10_000,
  carriersOfClient: 16,
  streams: 512,
  tunnelsOfClient: 512,
  openingsPerSecond: 400,
  openingsAtOnce: 4_000,
  keptBytesOfClient: 32 * 1024 * 1024,
  headerBytes: 64 * 1024,
  headerFields: 128,
  silenceMs: 45_000,
};

/** For browsers that come by themselves: none sends PING while nothing is asked for. */
export const PROXY_LIMITS: CarrierLimits = { ...CARRIER_LIMITS, silenceMs: 300_000 };
