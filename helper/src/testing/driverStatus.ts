/** What a driver that is attached to wlan0 answers to `status`, with these changes: with more in it than a helper looks at. */
export function driverStatus(changes: Readonly<Record<string, unknown>> = {}): object {
  return {
    features: [{ name: 'RAR', level: 'full' }],
    interfaces: [{ name: 'wlan0', method: 'tcx' }],
    cgroups: [],
    registered: {},
    counters: {
      rar: { messages: 128, protected: 120, copies: 240, copyBytes: 31_000, rounds: 3, duplicates: 200, linkBusy: 2, notPaying: 5, more: 1 },
      programs: { retransmitted: 4, redirected: 6 },
      unsent: 0,
    },
    ...changes,
  };
}
