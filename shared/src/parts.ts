/**
 * Parts of the helper, each of which its benchmark can leave out (`npm run bench`, `all-no-PART`). The product has every
 * part on. docs/benchmarks.md, "Without a part", says what is left of each.
 */
export const PART_NAMES = [
  /** PF: what the first screen does not wait for is asked for within a window only. */
  'prioritizing',
  /** OR: objects are dealt to connections by size. */
  'reordering',
  /** CM: servers get connections by the bytes that are asked of them. */
  'connectionManagement',
  /** What is not known to be needed stops in mid-flight while something that is needed comes. */
  'preemption',
  /** What is stopped so has the room that is left beside what is needed, instead of none. */
  'scavenger',
  /** A new connection over HTTP/2 begins with a small window, which grows with what the link brings. */
  'windows',
  /** Scripts of other sites that nothing waits for come behind what is in view. */
  'lateScripts',
  /** Images in view have one window over all connections of HTTP/2. */
  'imageWindow',
  /** Asks for what will be needed before the browser does: all of the next three. */
  'foresight',
  'foresightFromDocument',
  'foresightFromStyles',
  'foresightFromMemory',
  /** Connections are made when the browser goes to a page, before it has asked for anything of it. */
  'navigationConnections',
  /** Connections are made to servers that the document names, before the browser asks them. */
  'namedConnections',
  /** The relay makes requests by itself, of hosts that the user has named. */
  'relayTermination',
  /** The relay sends what documents name before it is asked for it. */
  'relayPushes',
  /** The relay sends pictures in fewer bytes. */
  'relayImages',
  /** Bodies come from the relay in zstd. */
  'relayText',
  /** The same, against former bodies. */
  'relayDictionaries',
  /** FWP: what is lost of large bodies of http: is hidden from TCP by the driver, and asked for as ranges. */
  'rangeRepair',
  /** Leaves a fast link to the browser. */
  'steppingAside',
] as const;
export type PartName = (typeof PART_NAMES)[number];

/** Which parts there are. */
export type HelperParts = Readonly<Record<PartName, boolean>>;
